import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';

export const moreOutput = z.number().optional().describe('How many are not listed here, to keep the answer short');

/**
 * Several lists of one answer, shortened together to what fits into it. What stands first is kept longest. `more` is how
 * many were left out of all.
 */
export function fitted<L extends Readonly<Record<string, readonly unknown[]>>>(
  lists: L,
  besides: unknown = {},
): { readonly lists: { [K in keyof L]: [...L[K]] }; readonly more?: number } {
  const total = Object.values(lists).reduce((sum, { length }) => sum + length, 0);
  let left = Math.min(total, fittingItems(Object.values(lists).flat(), besides));
  const more = total - left;
  const kept = Object.entries(lists).map(([name, list]) => {
    const some = list.slice(0, left);
    left -= some.length;
    return [name, some] as const;
  });
  return {
    lists: Object.fromEntries(kept) as unknown as { [K in keyof L]: [...L[K]] },
    ...(more > 0 && { more }),
  };
}
