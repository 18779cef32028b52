import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { neededType } from '../found.ts';
import { bytesOf } from '../names.ts';
import { numberIn, textIn } from '../replies.ts';
import { key, limitOf, nameInput, redisTool } from '../tool.ts';
import { rankedMembers, scoreOf } from '../types/sorted-set.ts';

export const getSortedSet = redisTool({
  name: 'redis_get_sorted_set',
  title: 'Get a sorted set',
  description:
    'Reads members of a sorted set with their scores: by rank, within a range of scores, or only the members that you name.',
  phrases:
    'read a sorted set; zrange; top ten of a leaderboard; members with a score above; score of a member; highest scores',
  effect: 'read',
  input: z.strictObject({
    ...key,
    order: z.enum(['lowest', 'highest']).default('lowest').describe('Which scores come first'),
    start: z.int().min(0).default(0).describe('How many to skip'),
    limit: limitOf(100),
    min: z.number().optional().describe('Lowest score'),
    max: z.number().optional().describe('Highest score'),
    members: z.array(nameInput).min(1).max(100).optional().describe('Only these'),
  }),
  output: z.object({
    key: z.string(),
    length: z.int().describe('How many members it has'),
    members: z.array(
      z.object({ member: z.string(), score: z.union([z.number(), z.string()]).describe('inf and -inf are texts') }),
    ),
    left_out: z.int().optional().describe('How many of the named ones did not fit into the reply'),
    next_start: z.int().optional().describe('For the next page'),
  }),
  async run({ key, order, start, limit, min, max, members }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'zset');
    const length = numberIn(await send('ZCARD', name));
    const about = { key, length };
    if (members) {
      const scores = await Promise.all(members.map((member) => send('ZSCORE', name, bytesOf(member))));
      const found = members.flatMap((member, at) => {
        const score = scores[at] ?? null;
        return score === null ? [] : [{ member, score: scoreOf(textIn(score)) }];
      });
      const shown = found.slice(0, found.length === 0 ? 0 : fittingItems(found, about));
      return {
        ...about,
        members: shown,
        ...(shown.length < found.length && { left_out: found.length - shown.length }),
      };
    }
    const hasRange = min !== undefined || max !== undefined;
    const scores = hasRange ? { min: String(min ?? '-inf'), max: String(max ?? '+inf') } : undefined;
    const ranked = { start, limit, descending: order === 'highest', scores };
    return { ...about, ...(await rankedMembers(send, name, ranked, about)) };
  },
});
