import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { neededType } from '../found.ts';
import { bytesOf } from '../names.ts';
import { numberIn } from '../replies.ts';
import { cursorInput, cursorOutput, key, limitOf, nameInput, patternInput, redisTool } from '../tool.ts';
import { setPage } from '../types/set.ts';

export const getSet = redisTool({
  name: 'redis_get_set',
  title: 'Get a set',
  description: 'Reads the members of a set a page at a time, or says which of the given members it has.',
  phrases: 'read a set; smembers; members of a set; is this in the set; does a set contain a member; how many members',
  effect: 'read',
  input: z.strictObject({
    ...key,
    contains: z.array(nameInput).min(1).max(100).optional().describe('Returns only those of these that are members'),
    pattern: patternInput.optional().describe('Only members that match this glob'),
    limit: limitOf(100),
    cursor: cursorInput,
  }),
  output: z.object({
    key: z.string(),
    length: z.int().describe('How many members the set has'),
    members: z.array(z.string()),
    left_out: z.int().optional().describe('How many of the named ones did not fit into the reply'),
    cursor: cursorOutput,
  }),
  async run({ key, contains, pattern, limit, cursor }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'set');
    const length = numberIn(await send('SCARD', name));
    const about = { key, length };
    if (contains) {
      const has = await Promise.all(contains.map((member) => send('SISMEMBER', name, bytesOf(member)).then(numberIn)));
      const found = contains.filter((_, at) => has[at] === 1);
      const shown = found.slice(0, found.length === 0 ? 0 : fittingItems(found, about));
      return {
        ...about,
        members: shown,
        ...(shown.length < found.length && { left_out: found.length - shown.length }),
      };
    }
    const page = await setPage(send, name, { pattern, limit, cursor, mostMs: redis.patienceMs }, about);
    return { ...about, ...page, members: [...page.members] };
  },
});
