import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates an empty file that only its owner can read, for SQLite: its -wal and -shm files get the same mode. */
export function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    // Exclusive: opening and closing an existing database would drop the locks this process holds on it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
