import { z } from 'zod';
import { expiring, freeOrType } from '../found.ts';
import { bytesOf } from '../names.ts';
import { numberIn } from '../replies.ts';
import { key, nameInput, redisTool, ttl } from '../tool.ts';

export const addScores = redisTool({
  name: 'redis_add_scores',
  title: 'Add to a sorted set',
  description:
    'Adds members with scores to a sorted set, such as {"member": "ada", "score": 10}, or changes their scores.',
  phrases:
    'add to a sorted set; zadd; set the score of a member; put somebody on the leaderboard; schedule by timestamp',
  effect: 'update',
  input: z.strictObject({
    ...key,
    members: z
      .array(
        z.strictObject({
          member: nameInput.describe('Its name'),
          score: z.number().describe('Its place in the order'),
        }),
      )
      .min(1)
      .max(1000)
      .describe('Members with their scores'),
    ...ttl,
  }),
  output: z.object({ key: z.string(), added: z.int(), length: z.int().describe('After that') }),
  async run({ key, members, ttl }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await freeOrType(send, name, 'zset');
    const flat = members.flatMap(({ member, score }) => [score, bytesOf(member)]);
    const added = numberIn(await send('ZADD', name, ...flat));
    await expiring(send, name, ttl);
    return { key, added, length: numberIn(await send('ZCARD', name)) };
  },
});
