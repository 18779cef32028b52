import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { expiring } from '../found.ts';
import { jsonPath } from '../json-path.ts';
import { textIn } from '../replies.ts';
import { key, redisTool, ttl } from '../tool.ts';

const MOST = 1_000_000;

export const setJson = redisTool({
  name: 'redis_set_json',
  title: 'Set JSON',
  description:
    'Stores a JSON document, or changes the part at a path such as $.user.name. Needs a server with JSON (Redis Stack, Redis 8).',
  phrases: 'store a json document in redis; json.set; update a field of a json document; save an object as json',
  effect: 'update',
  input: z.strictObject({
    ...key,
    value: z.json().describe('Any JSON value'),
    path: jsonPath.default('$').describe('JSONPath; $ is the whole document'),
    ...ttl,
  }),
  output: z.object({ key: z.string(), stored: z.boolean() }),
  async run({ key, value, path, ttl }, redis, { signal }) {
    const name = redis.keys.need(key);
    const text = JSON.stringify(value);
    if (text.length > MOST) throw new AppError('too_large', 'value has more than 1 MB. Store it in parts, with path.');
    const send = redis.during(signal);
    const answer = await send('JSON.SET', name, path, text);
    const stored = answer !== null && textIn(answer) === 'OK';
    if (stored) await expiring(send, name, ttl);
    return { key, stored };
  },
});
