import { AppError, messageOf } from '../../kernel/errors.ts';
import { thisUser } from '../../kernel/file-errors.ts';

const BUSY = 5;

export function isBusy(thrown: unknown): boolean {
  return kindOf(thrown) === BUSY;
}

/** SQLite's code, whose low byte is the kind, or else the file system's. */
function kindOf(thrown: unknown): number | string | undefined {
  const { errcode, code } = Object(thrown) as { errcode?: number; code?: string };
  return errcode === undefined ? code : errcode & 0xff;
}

/** Explains a failure of node:sqlite or the file system, and what to do. */
export function storeError(file: string, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const cause = { cause: thrown };
  switch (kindOf(thrown)) {
    case BUSY:
    case 6: // LOCKED
      return new AppError(
        'unavailable',
        `The store ${file} is locked by another process. Try again. If it stays locked, stop the process that holds it.`,
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
        `Cannot open the store ${file} for writing (${messageOf(thrown)}). ` +
          `It must be a file in a directory that ${thisUser()} can write to. Fix that, or choose another place.`,
        cause,
      );
    case 13: // FULL
    case 'ENOSPC':
      return new AppError(
        'unavailable',
        `Cannot write the store ${file}: its disk is full (${messageOf(thrown)}). Calls go on, but changes fail, and events wait in memory. ` +
          'Free up disk space: Sluice then goes on by itself.',
        cause,
      );
    case 10: // IOERR
      return new AppError(
        'unavailable',
        `Cannot write the store ${file} (${messageOf(thrown)}). Check the disk and its free space.`,
        cause,
      );
    case 11: // CORRUPT
    case 26: // NOTADB
      return new AppError(
        'internal',
        `The store ${file} is damaged or not a SQLite database (${messageOf(thrown)}). ` +
          `Stop Sluice, then restore a backup, or move the file away together with ${file}-wal and ${file}-shm: the next start creates a new one.`,
        cause,
      );
    default:
      return new AppError('internal', `The store ${file} failed: ${messageOf(thrown)}`, cause);
  }
}
