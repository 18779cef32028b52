import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Send } from '../connection.ts';
import { listIn, pairsIn, type Reply, textIn } from '../replies.ts';
import { stepwise } from '../stepwise.ts';
import { ITEM_ROOM, viewedItem, viewedName } from '../view.ts';

interface Entry {
  readonly id: string;
  readonly fields: ReturnType<typeof pairsIn>;
}

const MOST_FIELDS = 30;

export const entriesIn = (reply: Reply): Entry[] =>
  listIn(reply).map((entry) => {
    const [id = '', fields = []] = listIn(entry);
    return { id: textIn(id), fields: pairsIn(fields) };
  });

export function viewedEntry({ id, fields }: Entry) {
  const room = Math.max(100, Math.min(ITEM_ROOM, 3000 / Math.max(1, fields.length)));
  const shown = fields.slice(0, MOST_FIELDS);
  return {
    id,
    fields: shown.map(([field, value]) => ({ field: viewedName(field).slice(0, 100), ...viewedItem(value, room) })),
    ...(shown.length < fields.length && { more_fields: fields.length - shown.length }),
  };
}

const sizeOf = ({ fields }: Entry) => fields.reduce((sum, [field, value]) => sum + field.length + value.length, 0);

export interface Range {
  readonly start: string;
  readonly end: string;
  readonly limit: number;
  readonly newestFirst?: boolean;
}

/** Entries between two ids, `-` and `+` being the ends. */
export async function streamEntries(send: Send, key: Buffer, range: Range, besides: object = {}) {
  const { start, end, limit, newestFirst = false } = range;
  const { items: found, isEnd } = await stepwise<Entry>(
    limit + 1,
    async (done, count) => {
      const last = done.at(-1);
      const from = last ? `(${last.id}` : newestFirst ? end : start;
      const command = newestFirst ? 'XREVRANGE' : 'XRANGE';
      return entriesIn(await send(command, key, from, newestFirst ? start : end, 'COUNT', count));
    },
    sizeOf,
  );
  const views = found.slice(0, limit).map(viewedEntry);
  const shown = views.slice(0, fittingItems(views, besides));
  const last = shown.at(-1);
  return { entries: shown, ...(last && (!isEnd || shown.length < found.length) && { next: `(${last.id}` }) };
}
