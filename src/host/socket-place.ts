import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import { SOCKET } from './home.ts';

/** Everyone may write to the temporary directory. A socket there is ours only inside a directory that we own. */
const isShared = (path: string): boolean => basename(path) !== SOCKET;

/** Creates the directory for a socket whose path in the data directory would be too long. Throws if it is not ours. */
export async function makeSocketPlace(path: string): Promise<void> {
  if (!isShared(path)) return;
  const place = dirname(path);
  await mkdir(place, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  assertPrivate(place, await lstat(place));
}

/** Throws if somebody else may have created the socket. Does not check whether anything listens. */
export async function assertOwnSocket(path: string): Promise<void> {
  if (isShared(path)) {
    const place = await found(dirname(path));
    if (!place) return;
    assertPrivate(dirname(path), place);
  }
  const socket = await found(path);
  const us = process.getuid?.();
  // root may connect to any socket: it chose the data directory.
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
    `${path} belongs to another user, or others can write there. Remove it, or set SLUICE_HOME to a shorter path, so that the socket fits inside.`,
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
