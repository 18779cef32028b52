import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Send } from '../connection.ts';
import { walkKeys } from '../keyspace.ts';
import { numberIn, textIn } from '../replies.ts';
import { limitOf, patternInput, redisTool, walkCursor } from '../tool.ts';
import { viewedName } from '../view.ts';

export const findBigKeys = redisTool({
  name: 'redis_find_big_keys',
  title: 'Find the biggest keys',
  description:
    'Measures the memory of a sample of keys and lists the biggest. A cursor means that there are keys that were not measured, and continues with those.',
  phrases:
    'biggest redis keys; which keys take the most memory; what uses up the memory; find large values; bigkeys; memkeys',
  effect: 'read',
  input: z.strictObject({
    pattern: patternInput.optional().describe('Glob; default all keys'),
    sample: z.int().min(100).max(1_000_000).default(50_000).describe('How many keys to measure'),
    limit: limitOf(20),
    cursor: walkCursor.describe('Of the call before, to measure others'),
  }),
  output: z.object({
    measured: z.int(),
    measured_bytes: z.int().describe('All measured keys together'),
    keys: z.array(z.object({ key: z.string(), type: z.string(), memory_bytes: z.int() })),
    cursor: z.string().optional().describe('Set if there are keys that were not measured'),
  }),
  async run({ pattern, sample, limit, cursor }, redis, { signal }, progress) {
    const send = redis.during(signal);
    let biggest: { key: Buffer; bytes: number }[] = [];
    let measured = 0;
    let all = 0;
    const { cursor: next } = await walkKeys(redis, signal, {
      pattern,
      most: 50_000_000,
      cursor,
      async each(keys) {
        const found = await measuredKeys(send, keys);
        for (const { bytes } of found) all += bytes;
        measured += found.length;
        biggest = [...biggest, ...found].sort((one, other) => other.bytes - one.bytes).slice(0, limit);
        progress(measured, Math.max(sample, measured), `${measured} measured`);
        return measured < sample ? undefined : 'stop';
      },
    });
    const types = await Promise.all(biggest.map(({ key }) => send('TYPE', key).then(textIn)));
    const views = biggest.map(({ key, bytes }, at) => ({
      key: viewedName(key),
      type: types[at] ?? '',
      memory_bytes: bytes,
    }));
    const shown = views.slice(0, views.length === 0 ? 0 : fittingItems(views));
    return { measured, measured_bytes: all, keys: shown, ...(next !== undefined && { cursor: next }) };
  },
});

const AT_ONCE = 500;

/** Keys that are still there, with their memory. */
async function measuredKeys(send: Send, keys: readonly Buffer[]): Promise<{ key: Buffer; bytes: number }[]> {
  const found: { key: Buffer; bytes: number }[] = [];
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const some = keys.slice(at, at + AT_ONCE);
    const sizes = await Promise.all(some.map((key) => send('MEMORY', 'USAGE', key)));
    for (const [index, key] of some.entries()) {
      const size = sizes[index] ?? null;
      if (size !== null) found.push({ key, bytes: numberIn(size) });
    }
  }
  return found;
}
