import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : 0;
}

/**
 * Refuses to begin an empty store where there was one: what was written last, or kept in reserve, is still beside it. So is
 * its key, but a home whose store is PostgreSQL has one, too: it tells only of a file that is there and empty.
 */
export function refuseLostStore(file: string): void {
  const home = dirname(file);
  const beside = [`${file}-wal`, `${file}-reserve`, ...(existsSync(file) ? [join(home, 'sluice.key')] : [])];
  const left = beside.filter((path) => sizeOf(path) > 0);
  // In this order: another process that makes a new store right now makes the store before its key.
  if (left.length === 0 || sizeOf(file) > 0) return;
  throw new AppError(
    'conflict',
    `The store ${file} is gone or empty, but ${left.join(' and ')} ${left.length > 1 ? 'are' : 'is'} still there: its content is lost. ` +
      'Restore a backup: `sluice store restore FILE --force`. ' +
      `To begin with an empty store instead, move ${left.length > 1 ? 'these files' : 'that file'} away: ${left.map((path) => `mv ${path} ${path}.old`).join('; ')}`,
  );
}
