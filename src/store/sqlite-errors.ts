import { AppError, messageOf } from '../kernel/errors.ts';

const BUSY = 5;

export function isBusy(thrown: unknown): boolean {
  return kindOf(thrown) === BUSY;
}

/** SQLite's code, of which the low byte is the kind and the rest a refinement; else the file system's. */
function kindOf(thrown: unknown): number | string | undefined {
  const { errcode, code } = Object(thrown) as { errcode?: number; code?: string };
  return errcode === undefined ? code : errcode & 0xff;
}

/** What a failure of node:sqlite, or of the file system under it, means to whoever runs the gateway. */
export function storeError(file: string, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const cause = { cause: thrown };
  switch (kindOf(thrown)) {
    case BUSY:
    case 6: // LOCKED
      return new AppError(
        'unavailable',
        `The store ${file} is locked by another process. Try again; if it stays locked, stop the process that holds it.`,
        cause,
      );
    case 8: // READONLY
    case 14: // CANTOPEN
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return new AppError(
        'unavailable',
        `The store ${file} cannot be opened for writing (${messageOf(thrown)}). ` +
          'Check that it is a file in a directory this user may write to, or name another place for it.',
        cause,
      );
    case 10: // IOERR
    case 13: // FULL
    case 'ENOSPC':
      return new AppError(
        'unavailable',
        `The store ${file} cannot be written (${messageOf(thrown)}). Check the disk and its free space.`,
        cause,
      );
    case 11: // CORRUPT
    case 26: // NOTADB
      return new AppError(
        'internal',
        `The store ${file} is damaged or not a SQLite database (${messageOf(thrown)}). ` +
          `Stop sluice, then put a backup in its place, or move it away together with ${file}-wal and ${file}-shm: a new one is made at the next start.`,
        cause,
      );
    default:
      return new AppError('internal', `The store ${file} failed: ${messageOf(thrown)}`, cause);
  }
}
