import { z } from 'zod';
import { lengthCommandOf, neededType, toolFor, ttlIn } from '../found.ts';
import { numberIn, textIn } from '../replies.ts';
import { key, redisTool } from '../tool.ts';

export const getKeyInfo = redisTool({
  name: 'redis_get_key_info',
  title: 'Describe a key',
  description:
    'Says what a key is without reading it: type, TTL, memory, encoding, length, and how long it was not used.',
  phrases:
    'what type is this key; when does a key expire; how big is a key; ttl of a key; how much memory does a key take; key encoding',
  effect: 'read',
  input: z.strictObject(key),
  output: z.object({
    key: z.string(),
    type: z.string(),
    ttl: z.int().optional().describe('Seconds until it expires; absent if it does not'),
    length: z.int().optional().describe('Bytes of a string, items of a collection'),
    memory_bytes: z.int().optional().describe('About, with what Redis needs itself'),
    encoding: z.string().optional(),
    idle_seconds: z.int().optional().describe('Since it was last used'),
    shown_by: z.string().optional().describe('The tool that shows it'),
  }),
  async run({ key }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    const type = await neededType(send, name);
    const measure = lengthCommandOf(type);
    // Not every server and policy knows each of them.
    const [expiry, length, memory, encoding, idle] = await Promise.allSettled([
      send('PTTL', name).then(numberIn),
      measure === undefined ? Promise.reject(new Error('no length')) : send(measure, name).then(numberIn),
      send('MEMORY', 'USAGE', name).then(numberIn),
      send('OBJECT', 'ENCODING', name).then(textIn),
      send('OBJECT', 'IDLETIME', name).then(numberIn),
    ]);
    if (expiry.status === 'rejected') throw expiry.reason;
    const ttl = ttlIn(expiry.value);
    const tool = toolFor(type);
    return {
      key,
      type,
      ...(ttl !== undefined && { ttl }),
      ...(length.status === 'fulfilled' && { length: length.value }),
      ...(memory.status === 'fulfilled' && { memory_bytes: memory.value }),
      ...(encoding.status === 'fulfilled' && { encoding: encoding.value }),
      ...(idle.status === 'fulfilled' && { idle_seconds: idle.value }),
      ...(tool !== undefined && { shown_by: tool }),
    };
  },
});
