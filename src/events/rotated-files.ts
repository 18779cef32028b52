import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { find, idOf, isCopyOf, type OpenFile, openFile } from './watched-file.ts';

interface Listed {
  name: string;
  id: string;
  /** 0 if the file system does not record it. */
  birth: bigint;
  written: bigint;
  /**
   * The number in `events.jsonl.2`, where the highest is the oldest; 0 for the path itself, undefined for other names.
   */
  number: number | undefined;
}

const PACKED = /\.(?:gz|zst|xz|bz2|zip)$/;
const TRIES = 5;
const MOST = 1000;

/** Names next to a path that its rotated files may have, such as events.jsonl.1 or events-20261115.jsonl. */
export async function rotatedNames(path: string): Promise<string[]> {
  const name = basename(path);
  const stem = basename(name, extname(name));
  const names = await readdir(dirname(path)).catch(() => []);
  return names.filter((other) => other !== name && other.startsWith(stem) && !PACKED.test(other));
}

/**
 * The files that were at the path after `older` and before `newer`, oldest first. They are returned open, so that the
 * next rotation cannot hide them. Matched by the name pattern that `older` has now or, if it is deleted, by creation
 * time.
 */
export async function openBetween(path: string, older: OpenFile, newer: OpenFile): Promise<OpenFile[]> {
  const opened: OpenFile[] = [];
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const listed = await listing(path);
      const from = listed.find(({ id }) => id === older.id);
      const first = from ?? { ...(await factsOf(older)), number: undefined };
      const last = listed.find(({ id }) => id === newer.id) ?? { ...(await factsOf(newer)), number: 0 };
      const wanted = listed
        .filter((one) => one.id !== older.id && one.id !== newer.id)
        .filter((one) => (from ? patternOf(one.name) === patternOf(from.name) : /\d/.test(one.name)))
        .filter((one) => isLater(one, first) && isLater(last, one))
        .sort((a, b) => (isLater(a, b) ? 1 : -1))
        .slice(-MOST);
      // Another rotation may have happened since the listing.
      let missed = false;
      for (const { id, name } of wanted) {
        if (opened.some((known) => known.id === id)) continue;
        const file = await openFile(join(dirname(path), name)).catch(() => undefined);
        if (file?.id === id && (from || !(await isCopyOf(file, older)))) opened.push(file);
        else {
          missed ||= file?.id !== id;
          await file?.[Symbol.asyncDispose]();
        }
      }
      if (missed) continue;
      const order = wanted.map(({ id }) => id);
      return opened.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    }
    return opened;
  } catch (error) {
    for (const file of opened) await file[Symbol.asyncDispose]();
    throw error;
  }
}

/** The files at the path and next to it. Retries until two listings agree, because rotation renames files meanwhile. */
async function listing(path: string): Promise<Listed[]> {
  let before = await look(path);
  for (let tries = 0; tries < TRIES; tries++) {
    const now = await look(path);
    if (textOf(now) === textOf(before)) return now;
    before = now;
  }
  return before;
}

const textOf = (listed: readonly Listed[]): string => listed.map(({ name, id }) => `${name} ${id}`).join('\n');

async function look(path: string): Promise<Listed[]> {
  const name = basename(path);
  const found: Listed[] = [];
  for (const other of [name, ...(await rotatedNames(path)).sort()]) {
    const stats = await find(join(dirname(path), other)).catch(() => undefined);
    if (!stats) continue;
    const suffix = other.startsWith(`${name}.`) ? other.slice(name.length + 1) : '';
    const number = other === name ? 0 : /^\d{1,6}$/.test(suffix) ? Number(suffix) : undefined;
    found.push({ name: other, id: idOf(stats), birth: stats.birthtimeNs, written: stats.mtimeNs, number });
  }
  return found;
}

async function factsOf({ handle }: OpenFile): Promise<Pick<Listed, 'birth' | 'written' | 'name'>> {
  const { birthtimeNs, mtimeNs } = await handle.stat({ bigint: true });
  return { name: '', birth: birthtimeNs, written: mtimeNs };
}

type Aged = Pick<Listed, 'birth' | 'written' | 'number' | 'name'>;

/** Whether `one` was created after `other`. File system clocks are coarse, so names decide between equal times. */
function isLater(one: Aged, other: Aged): boolean {
  if (one.birth > 0n && other.birth > 0n && one.birth !== other.birth) return one.birth > other.birth;
  if (one.number !== undefined && other.number !== undefined) return one.number < other.number;
  if (one.number === 0 || other.number === 0) return one.number === 0;
  return one.written === other.written ? one.name > other.name : one.written > other.written;
}

const patternOf = (name: string): string => name.replace(/\d+/g, '#');
