import { statfsSync, statSync } from 'node:fs';
import type { StoreTrouble } from '../store.ts';

/** Below this the disk counts as almost full: a write may need as much again for its journal. */
const LITTLE = 20 * 1024 * 1024;

/** Finds problems with the store's file without writing to it. Call it right after the store was opened. */
export function storeFileTrouble(file: string): () => StoreTrouble | undefined {
  const opened = statSync(file, { throwIfNoEntry: false })?.ino;
  return () => {
    const found = statSync(file, { throwIfNoEntry: false })?.ino;
    if (found !== opened) {
      const what = found === undefined ? 'was deleted' : 'was replaced';
      // SQLite still writes to the old file, which nobody else can see.
      const message = `The store ${file} ${what} while the gateway runs. Everything stored now is lost when the gateway ends. Restart it.`;
      return { state: 'failing', message };
    }
    const left = freeBytes(file);
    if (left === undefined || left >= LITTLE) return undefined;
    return {
      state: 'degraded',
      message: `Only ${Math.floor(left / 1024 / 1024)} MB are free for ${file}. Free up disk space.`,
    };
  };
}

function freeBytes(file: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(file);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
