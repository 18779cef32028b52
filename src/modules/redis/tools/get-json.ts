import { z } from 'zod';
import { jsonPath } from '../json-path.ts';
import { key, redisTool, shownOutput } from '../tool.ts';
import { jsonText } from '../types/json.ts';

export const getJson = redisTool({
  name: 'redis_get_json',
  title: 'Get JSON',
  description:
    'Reads a JSON document, or the parts at a path such as $.user.name, as JSON text. Needs a server with JSON (Redis Stack, Redis 8).',
  phrases: 'read a json document from redis; json.get; get a field of a json key; show a json value',
  effect: 'read',
  input: z.strictObject({
    ...key,
    path: jsonPath.default('$').describe('JSONPath; $ is the whole document. The result is a list of matches'),
    offset: z.int().min(0).default(0).describe('Where to begin in the text, in bytes: next_offset of the call before'),
  }),
  output: z.object({ key: z.string(), ...shownOutput, next_offset: z.int().optional() }),
  async run({ key, path, offset }, redis, { signal }) {
    const name = redis.keys.need(key);
    return { key, ...(await jsonText(redis.during(signal), name, path, offset, key)) };
  },
});
