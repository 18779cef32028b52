import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';

/** Where a list continues: the upstream cursor of a page, and how many items of that page were already shown. */
export interface Place {
  readonly next?: string;
  readonly skip: number;
}

/** A cursor bound to its list and filters, so that another list does not accept it. */
export function cursorFor(list: string, asked: object, place: Place): string {
  return Buffer.from(JSON.stringify([list, digest(asked), place.next ?? '', place.skip])).toString('base64url');
}

export function placeIn(list: string, asked: object, cursor: string | undefined): Place {
  if (cursor === undefined) return { skip: 0 };
  const read = parsed(cursor);
  if (!read || read.list !== list) {
    throw new AppError('invalid_input', `This cursor does not belong to ${list}. Leave it out to start over.`);
  }
  if (read.digest !== digest(asked)) {
    throw new AppError(
      'invalid_input',
      'This cursor belongs to other filters. Repeat the arguments it came with, or leave it out.',
    );
  }
  return { skip: read.skip, ...(read.next !== '' && { next: read.next }) };
}

function parsed(cursor: string) {
  try {
    const [list, told, next, skip] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof list !== 'string' || typeof told !== 'string' || typeof next !== 'string') return undefined;
    return Number.isSafeInteger(skip) && Number(skip) >= 0
      ? { list, digest: told, next, skip: Number(skip) }
      : undefined;
  } catch {
    return undefined;
  }
}

function digest(asked: object): string {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const text = JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(text).digest('base64url').slice(0, 10);
}
