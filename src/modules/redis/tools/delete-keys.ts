import { z } from 'zod';
import { numberIn, textIn } from '../replies.ts';
import { counted, someOf } from '../sentences.ts';
import { keyInput, redisTool } from '../tool.ts';

export const deleteKeys = redisTool({
  name: 'redis_delete_keys',
  title: 'Delete keys',
  description: 'Deletes keys by name, whatever their type. redis_delete_matching deletes by pattern.',
  phrases:
    'delete a redis key; remove keys; invalidate a cache entry; drop this key; unlink keys; clear a cached value',
  effect: 'delete',
  input: z.strictObject({ keys: z.array(keyInput).min(1).max(1000).describe('Names, not patterns') }),
  output: z.object({ deleted: z.int().describe('How many of them there were') }),
  async preview({ keys }, redis, { signal }) {
    const names = keys.map((key) => redis.keys.need(key));
    const send = redis.during(signal);
    const types = await Promise.all(names.map((name) => send('TYPE', name).then(textIn)));
    const there = keys.flatMap((key, at) => (types[at] === 'none' ? [] : [`${key} (${types[at]})`]));
    if (there.length === 0) return undefined;
    return `Deletes ${counted(there.length, 'key')} for good: ${someOf(there)}.`;
  },
  async run({ keys }, redis, { signal }) {
    const names = keys.map((key) => redis.keys.need(key));
    return { deleted: numberIn(await redis.during(signal)('UNLINK', ...names)) };
  },
});
