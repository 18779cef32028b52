import { z } from 'zod';
import { bytesOf } from '../names.ts';
import { textIn } from '../replies.ts';
import { key, nameInput, redisTool } from '../tool.ts';

export const incrementKey = redisTool({
  name: 'redis_increment_key',
  title: 'Increment a number',
  description:
    'Adds to the number in a string, in a field of a hash, or in the score of a member of a sorted set, atomically. A missing one counts from 0. A negative number subtracts.',
  phrases: 'increment a counter; add one to a key; decrease a counter; count up; incr; raise the score of a member',
  effect: 'create',
  input: z.strictObject({
    ...key,
    by: z
      .number()
      .min(Number.MIN_SAFE_INTEGER)
      .max(Number.MAX_SAFE_INTEGER)
      .default(1)
      .describe('How much; may be a fraction'),
    field: nameInput.optional().describe('A field of a hash'),
    member: nameInput.optional().describe('A member of a sorted set'),
  }),
  output: z.object({ key: z.string(), value: z.string().describe('After that') }),
  async run({ key, by, field, member }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    const isWhole = Number.isInteger(by);
    if (member !== undefined) return { key, value: textIn(await send('ZINCRBY', name, by, bytesOf(member))) };
    const value =
      field === undefined
        ? await send(isWhole ? 'INCRBY' : 'INCRBYFLOAT', name, by)
        : await send(isWhole ? 'HINCRBY' : 'HINCRBYFLOAT', name, bytesOf(field), by);
    return { key, value: textIn(value) };
  },
});
