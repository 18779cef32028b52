import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';

/** SQLite's -shm file has this size. */
const CHUNK = 32 * 1024;
const CHUNKS = 8;
const reserveOf = (file: string) => `${file}-reserve`;

/**
 * Keeps some of the room that the -wal and -shm files of a closed store had, as much as there is on a full disk: without
 * room for these, the store could not even be read again.
 */
export function keepReserve(file: string): void {
  // Another process still has the store open.
  if (existsSync(`${file}-shm`)) return;
  let reserve: number | undefined;
  try {
    reserve = openSync(reserveOf(file), 'w', 0o600);
    // Random: a file system may compress.
    for (let chunk = 0; chunk < CHUNKS; chunk++) writeSync(reserve, randomBytes(CHUNK));
  } catch {
    // The disk is full: what fits is kept.
  } finally {
    if (reserve !== undefined) closeSync(reserve);
  }
}

/** Gives the room back, for those files. */
export function freeReserve(file: string): void {
  rmSync(reserveOf(file), { force: true });
}
