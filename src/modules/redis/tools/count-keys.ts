import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { walkKeys } from '../keyspace.ts';
import { nameOf } from '../names.ts';
import { numberIn } from '../replies.ts';
import { patternInput, redisTool, walkCursor } from '../tool.ts';

const MOST_GROUPS = 10_000;

export const countKeys = redisTool({
  name: 'redis_count_keys',
  title: 'Count keys',
  description:
    'Counts keys by pattern and by their prefix, such as app:user: for app:user:1. Looks at most keys of a large database in parts: a cursor means that the count is not complete, and continues it.',
  phrases:
    'count keys by prefix; how many keys match a pattern; which prefixes are there; what fills redis; key distribution; how many sessions',
  effect: 'read',
  input: z.strictObject({
    pattern: patternInput.optional().describe('Glob; default all keys'),
    separator: z.string().min(1).max(5).default(':').describe('Between the parts of a name'),
    depth: z.int().min(1).max(5).default(1).describe('How many parts a prefix has'),
    most: z.int().min(1000).max(50_000_000).default(5_000_000).describe('How many keys to look at'),
    cursor: walkCursor.describe('Of the call before, to go on counting: add the counts up'),
  }),
  output: z.object({
    count: z.int(),
    prefixes: z
      .array(z.object({ prefix: z.string(), count: z.int() }))
      .describe('Most first; * stands for names without the separator'),
    other_prefixes: z.int().optional().describe('Prefixes that are not shown'),
    cursor: z.string().optional().describe('Set if there are keys that were not looked at'),
  }),
  async run({ pattern, separator, depth, most, cursor }, redis, { signal }, progress) {
    const total = numberIn(await redis.during(signal)('DBSIZE'));
    const groups = new Map<string, number>();
    let count = 0;
    const { cursor: next } = await walkKeys(redis, signal, {
      pattern,
      most,
      cursor,
      each(keys) {
        count += keys.length;
        for (const key of keys) {
          const prefix = prefixOf(key, separator, depth);
          // Names may be random. Then they are one group.
          const group = groups.has(prefix) || groups.size < MOST_GROUPS ? prefix : '…';
          groups.set(group, (groups.get(group) ?? 0) + 1);
        }
        return undefined;
      },
      progress: (visited) => progress(Math.min(visited, total), total, `${count} keys found`),
    });
    const prefixes = [...groups]
      .map(([prefix, count]) => ({ prefix, count }))
      .sort((one, other) => other.count - one.count);
    const some = prefixes.slice(0, 100);
    const shown = some.slice(0, some.length === 0 ? 0 : fittingItems(some));
    return {
      count,
      prefixes: shown,
      ...(shown.length < prefixes.length && { other_prefixes: prefixes.length - shown.length }),
      ...(next !== undefined && { cursor: next }),
    };
  },
});

/** The first parts of a name with their separators. */
export function prefixOf(key: Buffer, separator: string, depth: number): string {
  const name = nameOf(key.subarray(0, 1000));
  let end = 0;
  for (let part = 0; part < depth; part++) {
    const at = name.indexOf(separator, end);
    if (at === -1) break;
    end = at + separator.length;
  }
  return end === 0 ? '*' : name.slice(0, Math.min(end, 200));
}
