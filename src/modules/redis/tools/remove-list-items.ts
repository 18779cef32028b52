import { z } from 'zod';
import { neededType } from '../found.ts';
import { numberIn } from '../replies.ts';
import { key, redisTool, valueInput } from '../tool.ts';

export const removeListItems = redisTool({
  name: 'redis_remove_list_items',
  title: 'Remove items of a list',
  description: 'Removes the items of a list that are equal to a value: all of them, or the first or last few.',
  phrases: 'remove a value from a list; lrem; delete matching items of a list; take this job out of the queue',
  effect: 'delete',
  input: z.strictObject({
    ...key,
    value: valueInput.describe('The items to remove are equal to it'),
    count: z.int().min(-1000).max(1000).default(0).describe('How many: 0 all, 2 the first two, -2 the last two'),
  }),
  output: z.object({ key: z.string(), removed: z.int(), length: z.int().describe('How many are left') }),
  async preview({ key, value, count }, redis, { signal }) {
    const name = redis.keys.need(key);
    await neededType(redis.during(signal), name, 'list');
    const which = count === 0 ? 'every item' : `the ${count > 0 ? 'first' : 'last'} ${Math.abs(count)} items`;
    return `Removes ${which} of the list ${key.slice(0, 200)} equal to: ${String(value).slice(0, 200)}`;
  },
  async run({ key, value, count }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'list');
    const removed = numberIn(await send('LREM', name, count, String(value)));
    return { key, removed, length: numberIn(await send('LLEN', name)) };
  },
});
