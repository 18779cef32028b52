import { chmod, lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Loaded } from './config/load.ts';

/** Something that other users on this machine should not be able to open. */
export interface Exposed {
  readonly path: string;
  readonly problem: string;
  /** The command that fixes it. */
  readonly fix: string;
}

export interface Places {
  /** The data directory. */
  readonly home: string;
  readonly dotenv?: string;
  readonly file?: string;
  /** Secrets that a readable configuration file must not contain. */
  readonly secrets: readonly string[];
}

/** The files and directories that contain secrets, and that only their owner should read. */
export function placesOf(home: string, { file, paths, secrets }: Loaded): Places {
  const dotenv = paths[1];
  return { home, secrets, ...(file !== undefined && { file }), ...(dotenv !== undefined && { dotenv }) };
}

/** What Sluice has in its data directory. Anything else there is somebody's own. */
const OWN = /^(?:sluice\.(?:db|key|sock)|runs\.(?:db|lock))|^(?:backups|hooks|modules|n8n|nodes|before-restore-.*)$/;

/** Takes what Sluice has in its data directory from other users. A closed directory protects what is in it. */
export async function closeOwn(home: string): Promise<void> {
  if (process.platform === 'win32') return;
  for (const entry of await readdir(home, { withFileTypes: true }))
    if (OWN.test(entry.name) && !entry.isSymbolicLink()) await close(join(home, entry.name));
}

async function close(path: string): Promise<void> {
  try {
    const { mode } = await lstat(path);
    if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700);
  } catch {
    // It is gone, or not ours: findExposed reports what stays open.
  }
}

const DATABASE = ['sluice.db', 'sluice.db-wal'];

/** Checks who may open files with secrets. Windows has no such permissions. */
export async function findExposed({ home, dotenv, file, secrets }: Places): Promise<Exposed[]> {
  if (process.platform === 'win32') return [];
  const found: Exposed[] = [];
  const openHome = await mayOpen(home);
  if (openHome) {
    found.push({
      path: home,
      problem: 'is open to other users of this machine',
      fix: `chmod 700 ${quoted(home)}`,
    });
    // Inside a closed directory the files' own permissions do not matter.
    for (const name of DATABASE) {
      const path = join(home, name);
      if (await mayOpen(path)) found.push(readable(path));
    }
  }
  if (dotenv !== undefined && (await mayOpen(dotenv))) found.push(readable(dotenv));
  if (file !== undefined && (await mayOpen(file)) && (await holdsSecret(file, secrets))) {
    const { path, fix } = readable(file);
    found.push({ path, problem: 'contains a secret and can be read by other users of this machine', fix });
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

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
