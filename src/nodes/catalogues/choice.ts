import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { instanceCatalogue, packageCatalogue } from './places.ts';

/** Which catalogue an instance uses: its own, or the one built from the packages of its version. */
export type Choice = { readonly from: 'instance' } | { readonly from: 'packages'; readonly n8n: string };

const fileOf = (home: string, instance: string) =>
  instanceCatalogue(home, instance).replace(/\.v\d+\.sqlite$/, '.json');

/** The choice of the last sync; undefined before the first. */
export function readChoice(home: string, instance: string): Choice | undefined {
  try {
    const { from, n8n } = JSON.parse(readFileSync(fileOf(home, instance), 'utf8')) as { from?: unknown; n8n?: unknown };
    if (from === 'instance') return { from };
    return from === 'packages' && typeof n8n === 'string' ? { from, n8n } : undefined;
  } catch {
    return undefined;
  }
}

export async function writeChoice(home: string, instance: string, choice: Choice): Promise<void> {
  const file = fileOf(home, instance);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.tmp`, JSON.stringify(choice), { mode: 0o600 });
  await rename(`${file}.tmp`, file);
}

/** The catalogue file of an instance; undefined before its first sync. */
export function chosenFile(home: string, cache: string, instance: string): string | undefined {
  const choice = readChoice(home, instance);
  if (!choice) return undefined;
  try {
    return choice.from === 'instance' ? instanceCatalogue(home, instance) : packageCatalogue(cache, choice.n8n);
  } catch {
    return undefined;
  }
}
