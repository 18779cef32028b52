import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : 0;
}

/** Refuses to begin an empty store where there was one: its key, or what was written last, is still beside it. */
export function refuseLostStore(file: string): void {
  const home = dirname(file);
  const left = [join(home, 'sluice.key'), `${file}-wal`].filter((path) => sizeOf(path) > 0);
  // In this order: another process that makes a new store right now makes the store before its key.
  if (left.length === 0 || sizeOf(file) > 0) return;
  const [first = ''] = left;
  throw new AppError(
    'conflict',
    `The store ${file} is gone or empty, but ${left.join(' and ')} ${left.length > 1 ? 'are' : 'is'} still there: its content is lost. ` +
      'Restore a backup: `sluice store restore FILE --force`. ' +
      `To begin with an empty store instead, move ${left.length > 1 ? 'these files' : 'that file'} away: mv ${first} ${first}.old`,
  );
}
