import { z } from 'zod';
import { expiring, freeOrType } from '../found.ts';
import { bytesOf } from '../names.ts';
import { numberIn } from '../replies.ts';
import { fields, key, redisTool, ttl } from '../tool.ts';

export const setHash = redisTool({
  name: 'redis_set_hash',
  title: 'Set fields of a hash',
  description: 'Stores fields of a hash, such as {"name": "Ada", "age": 36}, and leaves its other fields alone.',
  phrases: 'set a hash field; hset; store an object as a hash; update the fields of a hash; write a user profile hash',
  effect: 'update',
  input: z.strictObject({
    ...key,
    ...fields,
    ...ttl,
  }),
  output: z.object({ key: z.string(), added: z.int().describe('Fields that are new'), replaced: z.int() }),
  async run({ key, fields, ttl }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await freeOrType(send, name, 'hash');
    const pairs = Object.entries(fields);
    const flat = pairs.flatMap(([field, value]) => [bytesOf(field), String(value)]);
    const added = numberIn(await send('HSET', name, ...flat));
    await expiring(send, name, ttl);
    return { key, added, replaced: pairs.length - added };
  },
});
