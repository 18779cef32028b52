import { fittingItems } from '../../../kernel/reply-size.ts';
import { AppError } from '../../../kernel/errors.ts';

/** Lists of a catalogue are read whole, up to this many. */
export const MOST_LISTED = 5000;

/** As many items as fit a reply, from the cursor on. */
export function pageOf<T>(items: readonly T[], cursor: string | undefined): { items: T[]; next_cursor?: string } {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0)
    throw new AppError('invalid_input', `"${cursor}" is not a cursor. Use next_cursor of the answer before.`);
  const rest = items.slice(from);
  const shown = rest.slice(0, fittingItems(rest.slice(0, 500)));
  return { items: shown, ...(shown.length < rest.length && { next_cursor: String(from + shown.length) }) };
}
