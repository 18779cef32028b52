import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { neededType } from '../found.ts';
import { bytesListIn, numberIn } from '../replies.ts';
import { counted, someOf } from '../sentences.ts';
import { key, redisTool, shownOutput } from '../tool.ts';
import { viewedItem } from '../view.ts';

export const popList = redisTool({
  name: 'redis_pop_list',
  title: 'Pop from a list',
  description:
    'Takes items off the beginning of a list, or off its end, and returns them. They are gone from the list.',
  phrases: 'pop from a list; take the next job off the queue; dequeue; lpop; rpop; remove the first item of a list',
  effect: 'delete',
  input: z.strictObject({
    ...key,
    side: z.enum(['start', 'end']).default('start').describe('Where to take them from'),
    count: z.int().min(1).max(100).default(1).describe('How many'),
  }),
  output: z.object({
    key: z.string(),
    items: z.array(z.object(shownOutput)),
    left_out: z.int().optional().describe('Items that were taken but did not fit into the reply'),
    length: z.int().describe('How many are left'),
  }),
  async preview({ key, side, count }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'list');
    const length = numberIn(await send('LLEN', name));
    const taken = Math.min(count, length);
    const first = bytesListIn(await send('LRANGE', name, ...(side === 'start' ? [0, 0] : [-1, -1])));
    const samples = someOf(first.map((item) => viewedItem(item, 200).value));
    return `Takes ${counted(taken, 'item')} of ${length} off the ${side} of the list ${key.slice(0, 200)}, first: ${samples}.`;
  },
  async run({ key, side, count }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'list');
    const taken = bytesListIn(await send(side === 'start' ? 'LPOP' : 'RPOP', name, count));
    const length = numberIn(await send('LLEN', name));
    const views = taken.map((item) => viewedItem(item, taken.length === 1 ? 6000 : undefined));
    const items = views.slice(0, views.length === 0 ? 0 : fittingItems(views, { key, length }));
    return { key, items, length, ...(items.length < views.length && { left_out: views.length - items.length }) };
  },
});
