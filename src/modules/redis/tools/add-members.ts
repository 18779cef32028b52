import { z } from 'zod';
import { expiring, freeOrType } from '../found.ts';
import { bytesOf } from '../names.ts';
import { numberIn } from '../replies.ts';
import { key, nameInput, redisTool, ttl } from '../tool.ts';

export const addMembers = redisTool({
  name: 'redis_add_members',
  title: 'Add to a set',
  description: 'Adds members to a set. A missing set is created. redis_add_scores adds to a sorted set.',
  phrases: 'add to a set; sadd; put a member into a set; tag something in redis; create a set',
  effect: 'update',
  input: z.strictObject({ ...key, members: z.array(nameInput).min(1).max(1000).describe('To add'), ...ttl }),
  output: z.object({ key: z.string(), added: z.int(), length: z.int().describe('After that') }),
  async run({ key, members, ttl }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await freeOrType(send, name, 'set');
    const added = numberIn(await send('SADD', name, ...members.map(bytesOf)));
    await expiring(send, name, ttl);
    return { key, added, length: numberIn(await send('SCARD', name)) };
  },
});
