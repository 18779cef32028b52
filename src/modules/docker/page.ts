import { fittingItems } from '../../kernel/reply-size.ts';

/** As many items from the offset on as a reply has room for, and where the next page begins. */
export function page<T>(
  items: readonly T[],
  offset: number,
  besides: unknown = {},
): { readonly items: T[]; readonly total: number; readonly next_offset?: number } {
  const rest = items.slice(offset);
  const count = rest.length === 0 ? 0 : fittingItems(rest, besides);
  const next = offset + count;
  return {
    items: rest.slice(0, count),
    total: items.length,
    ...(next < items.length && { next_offset: next }),
  };
}
