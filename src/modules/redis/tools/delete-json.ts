import { z } from 'zod';
import { neededType } from '../found.ts';
import { jsonPath } from '../json-path.ts';
import { numberIn } from '../replies.ts';
import { key, redisTool } from '../tool.ts';

export const deleteJson = redisTool({
  name: 'redis_delete_json',
  title: 'Delete JSON',
  description: 'Deletes the part of a JSON document at a path such as $.user.name. $ deletes the document.',
  phrases: 'delete a field of a json document; json.del; remove part of a json value; delete a json key',
  effect: 'delete',
  input: z.strictObject({ ...key, path: jsonPath.describe('JSONPath') }),
  output: z.object({ key: z.string(), deleted: z.int() }),
  async preview({ key, path }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    // Without the module this says so, before anybody is asked.
    await send('JSON.TYPE', name, path);
    await neededType(send, name, 'ReJSON-RL');
    return `Deletes ${path} of the JSON document ${key.slice(0, 200)} for good.`;
  },
  async run({ key, path }, redis, { signal }) {
    const name = redis.keys.need(key);
    return { key, deleted: numberIn(await redis.during(signal)('JSON.DEL', name, path)) };
  },
});
