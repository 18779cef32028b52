import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Send } from '../connection.ts';
import { bytesListIn } from '../replies.ts';
import { stepwise } from '../stepwise.ts';
import { viewedItem } from '../view.ts';

/** Items of a list from `start`, which counts from the end if it is negative. */
export async function listItems(
  send: Send,
  key: Buffer,
  { start, limit, length }: { start: number; limit: number; length: number },
  besides: object = {},
) {
  const first = start < 0 ? Math.max(0, length + start) : start;
  const { items } = await stepwise<Buffer>(
    limit,
    async ({ length: done }, count) => bytesListIn(await send('LRANGE', key, first + done, first + done + count - 1)),
    ({ length: size }) => size,
  );
  const views = items.map((item, at) => ({ index: first + at, ...viewedItem(item) }));
  const shown = views.slice(0, fittingItems(views, besides));
  const next = first + shown.length;
  return { items: shown, ...(next < length && shown.length > 0 && { next_start: next }) };
}
