import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_BYTES = 5 * 1024 ** 2;

export interface LogFile {
  write(text: string): void;
}

/** A log that never gets larger than twice its cap: a full log becomes `<path>.1` and replaces the one before. */
export function openLogFile(path: string, maxBytes: number = MAX_BYTES): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    write(text) {
      const bytes = Buffer.byteLength(text);
      try {
        if (size > 0 && size + bytes > maxBytes) {
          renameSync(path, `${path}.1`);
          size = 0;
        }
        appendFileSync(path, text, { mode: 0o600 });
        size += bytes;
      } catch {
        // A full disk must not take n8n down with it.
      }
    },
  };
}
