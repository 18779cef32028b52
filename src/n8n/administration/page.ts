import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';

/** The arguments of a list that is read whole and shown page by page. */
export const pageInput = {
  limit: z.int().min(1).max(1000).optional().describe('Maximum per page. Default: what fits into 8 KB'),
  cursor: z.string().optional().describe('From the last answer, with the same arguments'),
};

export const cursorOutput = z.string().optional().describe('There are more');

/** One page of the rows. `besides` is what the reply has beside them, `asked` what the cursor is bound to. */
export function pageOf<T>(
  list: string,
  asked: object,
  rows: readonly T[],
  { limit, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  besides: unknown = {},
): { readonly items: T[]; readonly cursor?: string } {
  const { skip } = placeIn(list, asked, cursor);
  const rest = rows.slice(skip);
  const kept = limit ?? fittingItems(rest, besides);
  return {
    items: rest.slice(0, kept),
    ...(kept < rest.length && { cursor: cursorFor(list, asked, { skip: skip + kept }) }),
  };
}
