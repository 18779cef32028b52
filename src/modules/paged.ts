import { cursorFor, placeIn } from '../kernel/cursor.ts';
import { fittingItems } from '../kernel/reply-size.ts';

interface Paged {
  /** The tool, and its filters: a cursor of another list or with other filters is refused. */
  readonly list: string;
  readonly asked: object;
  readonly cursor: string | undefined;
  /** What the reply has besides the items. */
  readonly besides?: object;
}

/** More never fit. */
const MOST = 300;
/** Room for one. */
const CURSOR = 'x'.repeat(100);

/** The part of a list that fits into a reply, and the cursor for the rest. */
export function paged<Item, Shown>(
  items: readonly Item[],
  shown: (item: Item) => Shown,
  { list, asked, cursor, besides = {} }: Paged,
): { page: Shown[]; next: { cursor?: string } } {
  const { skip } = placeIn(list, asked, cursor);
  const some = items.slice(skip, skip + MOST).map(shown);
  const page = some.slice(0, fittingItems(some, { ...besides, cursor: CURSOR }));
  const at = skip + page.length;
  return { page, next: at < items.length ? { cursor: cursorFor(list, asked, { skip: at }) } : {} };
}
