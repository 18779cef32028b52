import type { Progress } from '../../kernel/progress.ts';
import type { Vault } from './connection.ts';
import { namesIn, within } from './folders.ts';
import { codeOf, type Place } from './kv.ts';

export interface Walked {
  /** Whole paths of secrets that fit. */
  readonly found: readonly string[];
  readonly folders: number;
  /** Folders that the token may not list. */
  readonly refused: number;
  /** Whether there was more than may be looked at. */
  readonly isCut: boolean;
}

const MOST_FOLDERS = 400;
const MOST_FOUND = 2000;
const AT_ONCE = 8;

/** Looks through folders, the nearest first, until enough was seen. */
export async function walk(
  vault: Vault,
  start: readonly Place[],
  fits: (path: string) => boolean,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<Walked> {
  const found: string[] = [];
  let waiting = [...start];
  let folders = 0;
  let refused = 0;
  while (waiting.length > 0 && folders < MOST_FOLDERS && found.length < MOST_FOUND) {
    const turn = waiting.slice(0, Math.min(AT_ONCE, MOST_FOLDERS - folders));
    waiting = waiting.slice(turn.length);
    const lists = await Promise.all(turn.map((folder) => listed(vault, folder, signal)));
    for (const [index, names] of lists.entries()) {
      if (names === undefined) refused += 1;
      for (const name of names ?? []) {
        const place = within(turn[index] as Place, name);
        if (name.endsWith('/')) waiting.push(place);
        else if (fits(place.path)) found.push(place.path);
      }
    }
    folders += turn.length;
    progress(folders, undefined, `${folders} folders searched, ${found.length} secrets found`);
  }
  return { found: found.sort(), folders, refused, isCut: waiting.length > 0 };
}

/** Undefined if the token may not list this folder: the search goes on elsewhere. */
async function listed(vault: Vault, folder: Place, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    return await namesIn(vault, folder, signal);
  } catch (error) {
    if (codeOf(error) === 'forbidden') return undefined;
    throw error;
  }
}
