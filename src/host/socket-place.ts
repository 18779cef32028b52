import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import { SOCKET } from './home.ts';

/** Everybody may write where temporary files are: only a directory that is ours alone makes a socket there ours. */
const isShared = (path: string): boolean => basename(path) !== SOCKET;

/** Makes the directory for a socket that does not fit into the data directory, or refuses one that is not ours. */
export async function makeSocketPlace(path: string): Promise<void> {
  if (!isShared(path)) return;
  const place = dirname(path);
  await mkdir(place, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  assertPrivate(place, await lstat(place));
}

/** Refuses to speak to a socket that somebody else may have put there. Whether anybody listens is another question. */
export async function assertOwnSocket(path: string): Promise<void> {
  if (isShared(path)) {
    const place = await found(dirname(path));
    if (!place) return;
    assertPrivate(dirname(path), place);
  }
  const socket = await found(path);
  const us = process.getuid?.();
  // root may speak to whom it wants: it named the data directory.
  if (!socket || us === undefined || us === 0 || socket.uid === us) return;
  throw notOurs(path);
}

function assertPrivate(place: string, facts: Stats): void {
  const us = process.getuid?.();
  if (us === undefined) return;
  if (facts.isDirectory() && facts.uid === us && (facts.mode & 0o077) === 0) return;
  throw notOurs(place);
}

function notOurs(path: string): AppError {
  return new AppError(
    'forbidden',
    `${path} belongs to somebody else, or others can write there. Remove it, or set SLUICE_HOME to a shorter path: the socket is then made in there.`,
  );
}

async function found(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
