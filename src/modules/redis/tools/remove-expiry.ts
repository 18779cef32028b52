import { z } from 'zod';
import { neededType } from '../found.ts';
import { numberIn } from '../replies.ts';
import { key, redisTool } from '../tool.ts';

export const removeExpiry = redisTool({
  name: 'redis_remove_expiry',
  title: 'Remove the expiry of a key',
  description: 'Keeps a key of any type for good: removes its TTL.',
  phrases: 'make a key permanent; remove the ttl; persist a key; do not let this key expire; cancel the expiry',
  effect: 'update',
  input: z.strictObject(key),
  output: z.object({ key: z.string(), had_expiry: z.boolean() }),
  async run({ key }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name);
    return { key, had_expiry: numberIn(await send('PERSIST', name)) === 1 };
  },
});
