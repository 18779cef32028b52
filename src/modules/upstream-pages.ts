import { cursorFor, placeIn } from '../kernel/cursor.ts';
import { fittingItems } from '../kernel/reply-size.ts';

export interface Listing {
  /** The tool, and its filters: a cursor of another list or with other filters is refused. */
  readonly list: string;
  readonly asked: object;
  readonly cursor: string | undefined;
  /** What the reply has besides the items. */
  readonly besides?: object;
}

/** A page of a service. `next` names the one after it; undefined if it is the last. */
export interface UpstreamPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

/** How many pages are looked through for something that may be shown. */
const MOST_PAGES = 10;

/**
 * What fits into a reply of a list that the service pages itself, and the cursor for the rest. `show` returns undefined
 * for what may not be shown: a page without anything to show is skipped.
 */
export async function upstreamPages<Item, Shown>(
  { list, asked, cursor, besides = {} }: Listing,
  fetch: (next: string | undefined) => Promise<UpstreamPage<Item>>,
  show: (item: Item) => Shown | undefined,
): Promise<{ items: Shown[]; cursor?: string }> {
  let { next, skip } = placeIn(list, asked, cursor);
  const at = (place: { next: string | undefined; skip: number }) =>
    cursorFor(list, asked, { skip: place.skip, ...(place.next !== undefined && { next: place.next }) });
  for (let turn = 1; ; turn += 1) {
    const page = await fetch(next);
    const rows = page.items.flatMap((item, place) => {
      const shown = place < skip ? undefined : show(item);
      return shown === undefined ? [] : [{ place, shown }];
    });
    const items = rows.map(({ shown }) => shown);
    const count = items.length === 0 ? 0 : fittingItems(items, besides);
    const rest = rows[count];
    if (rest) return { items: items.slice(0, count), cursor: at({ next, skip: rest.place }) };
    if (page.next === undefined) return { items };
    if (count > 0 || turn === MOST_PAGES) return { items, cursor: at({ next: page.next, skip: 0 }) };
    ({ next } = page);
    skip = 0;
  }
}
