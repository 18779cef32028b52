import { statfsSync, statSync } from 'node:fs';

/** Less than this is soon full: a write of the store may need as much again for its journal. */
const LITTLE = 20 * 1024 * 1024;

export interface FileTrouble {
  readonly state: 'degraded' | 'failing';
  readonly message: string;
}

/** Tells what is wrong with the store's file without writing to it. Call it right after it was opened. */
export function storeFileTrouble(file: string): () => FileTrouble | undefined {
  const opened = statSync(file, { throwIfNoEntry: false })?.ino;
  return () => {
    const found = statSync(file, { throwIfNoEntry: false })?.ino;
    if (found !== opened) {
      const what = found === undefined ? 'was deleted' : 'was replaced';
      // It is still written, where nobody else sees it.
      const message = `The store ${file} ${what} while the gateway runs: what is stored now is lost when it ends. Restart the gateway.`;
      return { state: 'failing', message };
    }
    const left = freeBytes(file);
    if (left === undefined || left >= LITTLE) return undefined;
    return { state: 'degraded', message: `Only ${Math.floor(left / 1024 / 1024)} MB are free for ${file}. Make room.` };
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
