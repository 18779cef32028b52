import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TailPlace } from '../store/store.ts';

/** How many bytes at the start identify a file. */
const HEAD = 1024;
/** The head of a file of which nothing was read. */
export const NO_HEAD = '0:';
/** A shorter head may be the same in two files. */
const TELLING_HEAD = 128;

export interface OpenFile extends AsyncDisposable {
  readonly id: string;
  readonly handle: FileHandle;
  size(): Promise<number>;
  /** Changes whenever the file does. */
  stamp(): Promise<string>;
}

export function idOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Whether two ids may be of one file: a device that two machines share has a different number on each. */
export const isSameInode = (one: string, other: string): boolean =>
  one === other || one.split(':')[1] === other.split(':')[1];

/** Stats the file at a path; undefined if there is none. */
export async function find(path: string): Promise<BigIntStats | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isFile()) throw new Error('it is not a file');
    return found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, 'r');
  try {
    const id = idOf(await handle.stat({ bigint: true }));
    return {
      id,
      handle,
      size: async () => (await handle.stat()).size,
      async stamp() {
        const { size, mtimeNs } = await handle.stat({ bigint: true });
        return `${size} ${mtimeNs}`;
      },
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Fingerprint of the first bytes of a file, at most up to offset `upTo`. */
export async function headOf({ handle }: OpenFile, upTo: number): Promise<string> {
  const length = Math.min(upTo, HEAD);
  if (length === 0) return NO_HEAD;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
  return `${bytesRead}:${createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('base64url').slice(0, 22)}`;
}

export const isWholeHead = (head: string): boolean => lengthOf(head) === HEAD;

const lengthOf = (head: string): number => Number.parseInt(head, 10);

/** Whether this is still the file that was read up to this position: not truncated, not rewritten. */
export async function continues(file: OpenFile, place: TailPlace): Promise<boolean> {
  return (await file.size()) >= place.offset && (await headOf(file, lengthOf(place.head))) === place.head;
}

/**
 * Finds the rest of the file we were reading: renamed (same inode) or copied (same head) to a name next to the path,
 * such as events.jsonl.1 or events-20261115.jsonl.
 */
export async function findRotated(
  path: string,
  place: TailPlace,
  names: readonly string[],
): Promise<OpenFile | undefined> {
  for (const other of names) {
    const beside = join(dirname(path), other);
    const found = await find(beside).catch(() => undefined);
    if (!found || Number(found.size) < place.offset) continue;
    if (!isSameInode(idOf(found), place.file) && lengthOf(place.head) < TELLING_HEAD) continue;
    const file = await openFile(beside).catch(() => undefined);
    if (!file) continue;
    if ((await continues(file, place)) && (await isBehindLine(file, place))) return file;
    await file[Symbol.asyncDispose]();
  }
  return undefined;
}

/** Whether both files start with the same bytes, and enough of them to be sure. */
export async function isCopyOf(file: OpenFile, other: OpenFile): Promise<boolean> {
  const length = Math.min(await file.size(), await other.size(), HEAD);
  return length >= TELLING_HEAD && (await headOf(file, length)) === (await headOf(other, length));
}

async function isBehindLine({ handle }: OpenFile, { offset, skipping }: TailPlace): Promise<boolean> {
  if (offset === 0 || skipping) return true;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, offset - 1);
  return buffer[0] === 10;
}

/** Offset of the last line, which may be incomplete. */
export async function lastLineOf(file: OpenFile, farthest: number): Promise<number> {
  const size = await file.size();
  const length = Math.min(size, farthest);
  const { buffer } = await file.handle.read(Buffer.alloc(length), 0, length, size - length);
  const newline = buffer.lastIndexOf(10);
  return newline === -1 ? (length === size ? 0 : size) : size - length + newline + 1;
}
