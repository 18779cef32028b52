import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { createPrivately } from '../store/private-file.ts';

const BUSY = 5;
const LOOK_MS = 250;

/**
 * A lock between processes. It uses the operating system's lock through SQLite, which ends with the process however it
 * ends. So nobody has to guess from process ids or ages whether a lock is stale.
 */
export async function tryLock(file: string): Promise<Disposable | undefined> {
  createPrivately(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Only the first lock of all writes: later ones need no room on a disk that is full.
    if (statSync(file).size === 0) database.exec('BEGIN EXCLUSIVE; COMMIT');
    database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY) return undefined;
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** Waits for the lock. Calls `waiting` once if another process holds it. */
export async function waitForLock(file: string, waiting: () => void, signal?: AbortSignal): Promise<Disposable> {
  for (let first = true; ; first = false) {
    const lock = await tryLock(file);
    if (lock) return lock;
    if (first) waiting();
    await delay(LOOK_MS, undefined, signal && { signal });
  }
}

/** Whether a process with this id exists. A process of another user does too: signalling it fails with EPERM. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
