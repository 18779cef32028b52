import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const BUSY = 5;
const LOOK_MS = 250;

/**
 * One process at a time. The lock is the operating system's, by way of SQLite: it ends with whoever holds it, however
 * that ended, so nobody has to guess from process numbers or ages whether it is stale.
 */
export async function tryLock(file: string): Promise<Disposable | undefined> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY) return undefined;
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** Waits for its turn; `waiting` is told once if there is somebody before us. */
export async function waitForLock(file: string, waiting: () => void, signal?: AbortSignal): Promise<Disposable> {
  for (let first = true; ; first = false) {
    const lock = await tryLock(file);
    if (lock) return lock;
    if (first) waiting();
    await delay(LOOK_MS, undefined, signal && { signal });
  }
}
