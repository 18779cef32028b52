import { z } from 'zod';
import type { Redis } from '../connection.ts';
import { walkKeys } from '../keyspace.ts';
import { numberIn } from '../replies.ts';
import { counted, someOf } from '../sentences.ts';
import { patternInput, redisTool, walkCursor } from '../tool.ts';
import { viewedName } from '../view.ts';

const MOST_VISITED = 20_000_000;
const BATCH = 500;
const SAMPLES = 10;

export const deleteMatching = redisTool({
  name: 'redis_delete_matching',
  title: 'Delete keys by pattern',
  description:
    'Deletes keys that match a pattern, such as cache:old:*. Only counts them and shows some unless dry_run is false. A call deletes at most limit keys; a cursor means that there may be others, and continues.',
  phrases:
    'delete all keys with a prefix; delete keys by pattern; clear a cache; remove every key that matches; purge old session keys; bulk delete keys',
  effect: 'delete',
  input: z.strictObject({
    pattern: patternInput
      .refine((pattern) => /[^*?]/.test(pattern), 'matches every key: name a part of the keys')
      .describe('Glob: * any run, ? one, [ab] a choice, \\ escapes'),
    dry_run: z.boolean().default(true).describe('false deletes'),
    limit: z.int().min(1).max(100_000).default(10_000).describe('How many to delete at most'),
    cursor: walkCursor.describe('Of the call before, to go on'),
  }),
  output: z.object({
    matching: z.int().describe('How many were found, up to limit'),
    deleted: z.int(),
    samples: z.array(z.string()),
    cursor: z.string().optional().describe('Set if there may be others'),
  }),
  async preview({ pattern, dry_run, limit, cursor }, redis, { signal }) {
    if (dry_run) return undefined;
    const { matching, samples, cursor: next } = await counting(redis, signal, { pattern, limit, cursor });
    if (next === undefined && matching === 0) return undefined;
    const examples = samples.length === 0 ? '' : `, such as ${someOf(samples, 5)}`;
    if (next === undefined) return `Deletes ${counted(matching, 'key')} that match ${pattern} for good${examples}.`;
    const found = matching < limit ? `; a first look found ${matching}` : '';
    return `Deletes up to ${counted(limit, 'key')} that match ${pattern} for good${examples}${found}.`;
  },
  async run({ pattern, dry_run, limit, cursor }, redis, { signal }, progress) {
    if (dry_run) return { ...(await counting(redis, signal, { pattern, limit, cursor })), deleted: 0 };
    const send = redis.during(signal);
    const samples: string[] = [];
    let matching = 0;
    let deleted = 0;
    const { cursor: next } = await walkKeys(redis, signal, {
      pattern,
      most: MOST_VISITED,
      cursor,
      async each(keys) {
        const taken = keys.slice(0, limit - matching);
        for (let at = 0; at < taken.length; at += BATCH)
          deleted += numberIn(await send('UNLINK', ...taken.slice(at, at + BATCH)));
        matching += taken.length;
        samples.push(...taken.slice(0, SAMPLES - samples.length).map(shownName));
        progress(deleted, Math.max(limit, deleted), `${deleted} deleted`);
        if (taken.length < keys.length) return 'stop and repeat';
        return matching < limit ? undefined : 'stop';
      },
    });
    return { matching, deleted, samples, ...(next !== undefined && { cursor: next }) };
  },
});

const shownName = (key: Buffer) => viewedName(key).slice(0, 100);

interface Counting {
  readonly pattern: string;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Sees keys twice if Redis returns them twice; the number is for a human. */
async function counting(redis: Redis, signal: AbortSignal, { pattern, limit, cursor }: Counting) {
  const samples: string[] = [];
  let matching = 0;
  const { cursor: next } = await walkKeys(redis, signal, {
    pattern,
    most: MOST_VISITED,
    cursor,
    each(keys) {
      matching += keys.length;
      samples.push(...keys.slice(0, SAMPLES - samples.length).map(shownName));
      if (matching > limit) return 'stop and repeat';
      return matching < limit ? undefined : 'stop';
    },
  });
  return { matching: Math.min(matching, limit), samples, ...(next !== undefined && { cursor: next }) };
}
