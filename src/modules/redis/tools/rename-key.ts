import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { neededType } from '../found.ts';
import { numberIn } from '../replies.ts';
import { key, keyInput, redisTool } from '../tool.ts';

export const renameKey = redisTool({
  name: 'redis_rename_key',
  title: 'Rename a key',
  description: 'Gives a key another name and keeps its value and TTL. Refuses a name that is taken.',
  phrases: 'rename a key; move a key to another name; change the name of a key; renamenx',
  effect: 'update',
  input: z.strictObject({ ...key, new_key: keyInput.describe('A name that is not taken') }),
  output: z.object({ key: z.string(), new_key: z.string() }),
  async run({ key, new_key }, redis, { signal }) {
    const [from, to] = [redis.keys.need(key), redis.keys.need(new_key)];
    const send = redis.during(signal);
    await neededType(send, from);
    if (numberIn(await send('RENAMENX', from, to)) === 0)
      throw new AppError('conflict', `${new_key.slice(0, 200)} is taken. Delete it first, or choose another name.`);
    return { key, new_key };
  },
});
