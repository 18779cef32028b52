import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Loaded } from './config/load.ts';

/** Something that others on this machine should not be able to open. */
export interface Exposed {
  readonly path: string;
  readonly problem: string;
  /** The command that closes it. */
  readonly fix: string;
}

export interface Places {
  /** Where state lives. */
  readonly home: string;
  readonly dotenv?: string;
  readonly file?: string;
  /** What the configuration file must not hold for all to read. */
  readonly secrets: readonly string[];
}

/** What holds secrets, and so is for its owner's eyes only. */
export function placesOf(home: string, { file, paths, secrets }: Loaded): Places {
  const dotenv = paths[1];
  return { home, secrets, ...(file !== undefined && { file }), ...(dotenv !== undefined && { dotenv }) };
}

const DATABASE = ['sluice.db', 'sluice.db-wal'];

/** Looks at who may open what holds secrets. Windows has no such bits. */
export async function findExposed({ home, dotenv, file, secrets }: Places): Promise<Exposed[]> {
  if (process.platform === 'win32') return [];
  const found: Exposed[] = [];
  const openHome = await mayOpen(home);
  if (openHome) {
    found.push({ path: home, problem: 'is open to other users of this machine', fix: `chmod 700 ${quoted(home)}` });
    // Behind a closed directory their own bits do not matter.
    for (const name of DATABASE) {
      const path = join(home, name);
      if (await mayOpen(path)) found.push(readable(path));
    }
  }
  if (dotenv !== undefined && (await mayOpen(dotenv))) found.push(readable(dotenv));
  if (file !== undefined && (await mayOpen(file)) && (await holdsSecret(file, secrets))) {
    const { path, fix } = readable(file);
    found.push({ path, problem: 'holds a secret and can be read by other users of this machine', fix });
  }
  return found;
}

function readable(path: string): Exposed {
  return { path, problem: 'can be read by other users of this machine', fix: `chmod 600 ${quoted(path)}` };
}

async function mayOpen(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
}

async function holdsSecret(file: string, secrets: readonly string[]): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return secrets.some((secret) => text.includes(secret));
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
