import { z } from 'zod';
import { expiring, freeOrType } from '../found.ts';
import { numberIn } from '../replies.ts';
import { key, redisTool, ttl, valueInput } from '../tool.ts';

export const pushList = redisTool({
  name: 'redis_push_list',
  title: 'Push to a list',
  description: 'Adds items to the end of a list, or to its beginning. A missing list is created.',
  phrases: 'push to a list; append to a list; enqueue a job; rpush; lpush; add an item to a queue',
  effect: 'create',
  input: z.strictObject({
    ...key,
    values: z.array(valueInput).min(1).max(1000).describe('Items, in their order'),
    side: z.enum(['end', 'start']).default('end').describe('Where to add them'),
    ...ttl,
  }),
  output: z.object({ key: z.string(), length: z.int().describe('After that') }),
  async run({ key, values, side, ttl }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await freeOrType(send, name, 'list');
    // LPUSH adds one after the other, and so turns their order round.
    const items = side === 'end' ? values : values.toReversed();
    const length = numberIn(await send(side === 'end' ? 'RPUSH' : 'LPUSH', name, ...items));
    await expiring(send, name, ttl);
    return { key, length };
  },
});
