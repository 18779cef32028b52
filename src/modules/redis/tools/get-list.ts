import { z } from 'zod';
import { neededType } from '../found.ts';
import { bytesIn, numberIn } from '../replies.ts';
import { key, limitOf, redisTool, shownOutput } from '../tool.ts';
import { listItems } from '../types/list.ts';
import { viewed } from '../view.ts';

export const getList = redisTool({
  name: 'redis_get_list',
  title: 'Get a list',
  description:
    'Reads items of a list from an index on; -10 is the tenth from the end. Long items are cut: limit 1 and offset read on in one item.',
  phrases: 'read a list; lrange; show the items of a queue; the last ten items of a list; what waits in this queue',
  effect: 'read',
  input: z.strictObject({
    ...key,
    start: z.int().default(0).describe('Index of the first item; negative counts from the end'),
    limit: limitOf(100),
    offset: z.int().min(0).default(0).describe('With limit 1: where to begin in the item, in bytes'),
  }),
  output: z.object({
    key: z.string(),
    length: z.int().describe('How many items the list has'),
    items: z.array(z.object({ index: z.int(), ...shownOutput, next_offset: z.int().optional() })),
    next_start: z.int().optional().describe('For the next page'),
  }),
  async run({ key, start, limit, offset }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'list');
    const length = numberIn(await send('LLEN', name));
    const about = { key, length };
    if (limit > 1) return { ...about, ...(await listItems(send, name, { start, limit, length }, about)) };
    const item = await send('LINDEX', name, start);
    if (item === null) return { ...about, items: [] };
    const whole = bytesIn(item);
    const index = start < 0 ? length + start : start;
    const shown = viewed(whole.subarray(offset), { offset, total: whole.length, beside: key });
    return { ...about, items: [{ index, ...shown }], ...(index + 1 < length && { next_start: index + 1 }) };
  },
});
