import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Redis } from '../connection.ts';
import { walkKeys } from '../keyspace.ts';
import { numberIn } from '../replies.ts';
import { counted, someOf } from '../sentences.ts';
import { patternInput, redisTool } from '../tool.ts';
import { viewedName } from '../view.ts';

const MOST_VISITED = 20_000_000;
const BATCH = 500;
const SAMPLES = 10;

export const deleteMatching = redisTool({
  name: 'redis_delete_matching',
  title: 'Delete keys by pattern',
  description:
    'Deletes keys that match a pattern, such as cache:old:*. Only counts them and shows some unless dry_run is false. Deletes at most limit keys in a call; more says that there are others.',
  phrases:
    'delete all keys with a prefix; delete keys by pattern; clear a cache; remove every key that matches; purge old session keys; bulk delete keys',
  effect: 'delete',
  input: z.strictObject({
    pattern: patternInput
      .refine((pattern) => /[^*?]/.test(pattern), 'matches every key: name a part of the keys')
      .describe('Glob: * any run, ? one, [ab] a choice, \\ escapes'),
    dry_run: z.boolean().default(true).describe('false deletes'),
    limit: z.int().min(1).max(100_000).default(10_000).describe('How many to delete at most'),
  }),
  output: z.object({
    matching: z.int().describe('How many were found, up to limit'),
    deleted: z.int(),
    samples: z.array(z.string()),
    more: z.boolean().describe('Whether there may be others'),
  }),
  async preview({ pattern, dry_run, limit }, redis, { signal }) {
    if (dry_run) return undefined;
    const { matching, samples, more } = await counting(redis, signal, { pattern, limit });
    if (matching === 0) return undefined;
    const least = more ? 'at least ' : '';
    return `Deletes ${least}${counted(matching, 'key')} that match ${pattern} for good, such as ${someOf(samples, 5)}.`;
  },
  async run({ pattern, dry_run, limit }, redis, { signal }, progress) {
    if (dry_run) {
      const { samples, ...rest } = await counting(redis, signal, { pattern, limit });
      return { ...rest, deleted: 0, samples: [...samples] };
    }
    const send = redis.during(signal);
    const samples: string[] = [];
    let matching = 0;
    let deleted = 0;
    let isCut = false;
    try {
      const { cursor } = await walkKeys(redis, signal, {
        pattern,
        most: MOST_VISITED,
        async each(keys) {
          const taken = keys.slice(0, limit - matching);
          isCut ||= taken.length < keys.length;
          for (let at = 0; at < taken.length; at += BATCH)
            deleted += numberIn(await send('UNLINK', ...taken.slice(at, at + BATCH)));
          matching += taken.length;
          samples.push(...taken.slice(0, SAMPLES - samples.length).map(shownName));
          progress(deleted, limit, `${deleted} deleted`);
          return matching < limit;
        },
      });
      return { matching, deleted, samples, more: isCut || cursor !== undefined };
    } catch (error) {
      if (deleted === 0 || error instanceof AppError || !(error instanceof Error)) throw error;
      // The rest is the same whether it is done now or later, so what was done must not get lost.
      throw Object.assign(error, { message: `${error.message} (${deleted} keys were deleted before)` });
    }
  },
});

const shownName = (key: Buffer) => viewedName(key).slice(0, 100);

/** A dry run sees keys twice if Redis returns them twice; the number is for a human. */
async function counting(redis: Redis, signal: AbortSignal, { pattern, limit }: { pattern: string; limit: number }) {
  const samples: string[] = [];
  let matching = 0;
  const { cursor } = await walkKeys(redis, signal, {
    pattern,
    most: MOST_VISITED,
    each(keys) {
      matching += keys.length;
      samples.push(...keys.slice(0, SAMPLES - samples.length).map(shownName));
      return matching < limit;
    },
  });
  const more = matching > limit || cursor !== undefined;
  return { matching: Math.min(matching, limit), samples, more };
}
