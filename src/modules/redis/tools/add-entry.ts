import { z } from 'zod';
import { expiring, freeOrType } from '../found.ts';
import { bytesOf } from '../names.ts';
import { textIn } from '../replies.ts';
import { fields, key, redisTool, ttl } from '../tool.ts';

export const addEntry = redisTool({
  name: 'redis_add_entry',
  title: 'Add to a stream',
  description:
    'Adds an entry with fields to the end of a stream, such as {"event": "login"}. A missing stream is created.',
  phrases:
    'add to a stream; xadd; append an event to a stream; write a message into a redis stream; log an event to a stream',
  effect: 'create',
  input: z.strictObject({
    ...key,
    ...fields,
    ...ttl,
  }),
  output: z.object({ key: z.string(), id: z.string() }),
  async run({ key, fields, ttl }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await freeOrType(send, name, 'stream');
    const flat = Object.entries(fields).flatMap(([field, value]) => [bytesOf(field), String(value)]);
    const id = textIn(await send('XADD', name, '*', ...flat));
    await expiring(send, name, ttl);
    return { key, id };
  },
});
