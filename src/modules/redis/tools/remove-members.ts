import { z } from 'zod';
import { neededType } from '../found.ts';
import { bytesOf } from '../names.ts';
import { numberIn } from '../replies.ts';
import { counted, someOf } from '../sentences.ts';
import { key, nameInput, redisTool } from '../tool.ts';

export const removeMembers = redisTool({
  name: 'redis_remove_members',
  title: 'Remove from a set',
  description: 'Removes members from a set or a sorted set. A set without members is gone.',
  phrases: 'remove from a set; srem; zrem; delete a member of a sorted set; take a member off the leaderboard; untag',
  effect: 'delete',
  input: z.strictObject({ ...key, members: z.array(nameInput).min(1).max(1000).describe('To remove') }),
  output: z.object({ key: z.string(), removed: z.int(), length: z.int().describe('How many are left') }),
  async preview({ key, members }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    const type = await neededType(send, name, 'set', 'zset');
    const isThere = async (member: string) =>
      type === 'set'
        ? numberIn(await send('SISMEMBER', name, bytesOf(member))) === 1
        : (await send('ZSCORE', name, bytesOf(member))) !== null;
    const there = await Promise.all(members.map(isThere));
    const found = members.filter((_, at) => there[at]);
    if (found.length === 0) return undefined;
    const what = type === 'set' ? 'set' : 'sorted set';
    return `Removes ${counted(found.length, 'member')} of the ${what} ${key.slice(0, 200)} for good: ${someOf(found)}.`;
  },
  async run({ key, members }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    const type = await neededType(send, name, 'set', 'zset');
    const [remove, count] = type === 'set' ? ['SREM', 'SCARD'] : ['ZREM', 'ZCARD'];
    const removed = numberIn(await send(remove, name, ...members.map(bytesOf)));
    return { key, removed, length: numberIn(await send(count, name)) };
  },
});
