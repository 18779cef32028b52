import { z } from 'zod';
import { neededType } from '../found.ts';
import { bytesOf } from '../names.ts';
import { numberIn } from '../replies.ts';
import { counted, someOf } from '../sentences.ts';
import { key, nameInput, redisTool } from '../tool.ts';

export const deleteFields = redisTool({
  name: 'redis_delete_fields',
  title: 'Delete fields of a hash',
  description: 'Deletes fields of a hash. A hash without fields is gone.',
  phrases: 'remove a field from a hash; hdel; delete hash fields; drop an attribute of a hash',
  effect: 'delete',
  input: z.strictObject({ ...key, fields: z.array(nameInput).min(1).max(1000).describe('Names of the fields') }),
  output: z.object({ key: z.string(), deleted: z.int() }),
  async preview({ key, fields }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'hash');
    const there = await Promise.all(fields.map((field) => send('HEXISTS', name, bytesOf(field)).then(numberIn)));
    const found = fields.filter((_, at) => there[at] === 1);
    if (found.length === 0) return undefined;
    return `Deletes ${counted(found.length, 'field')} of the hash ${key.slice(0, 200)} for good: ${someOf(found)}.`;
  },
  async run({ key, fields }, redis, { signal }) {
    const name = redis.keys.need(key);
    return { key, deleted: numberIn(await redis.during(signal)('HDEL', name, ...fields.map(bytesOf))) };
  },
});
