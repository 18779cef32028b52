import { z } from 'zod';
import { noKey } from '../found.ts';
import { numberIn } from '../replies.ts';
import { key, redisTool, ttl } from '../tool.ts';

export const setExpiry = redisTool({
  name: 'redis_set_expiry',
  title: 'Set the expiry of a key',
  description: 'Sets after how many seconds a key of any type expires. redis_remove_expiry keeps it for good.',
  phrases: 'set a ttl; expire a key in an hour; let this key expire; change the expiry; extend the lifetime of a key',
  effect: 'update',
  input: z.strictObject({ ...key, ttl: ttl.ttl.unwrap().describe('Seconds from now') }),
  output: z.object({ key: z.string(), ttl: z.int() }),
  async run({ key, ttl }, redis, { signal }) {
    const name = redis.keys.need(key);
    if (numberIn(await redis.during(signal)('EXPIRE', name, ttl)) === 0) throw noKey(name);
    return { key, ttl };
  },
});
