import { z } from 'zod';
import { neededType } from '../found.ts';
import { numberIn } from '../replies.ts';
import { key, limitOf, redisTool } from '../tool.ts';
import { entryOutput, rangeEnd } from '../stream-schema.ts';
import { streamEntries } from '../types/stream.ts';

export const readStream = redisTool({
  name: 'redis_read_stream',
  title: 'Read a stream',
  description:
    'Reads entries of a stream between two ids, oldest or newest first. Ids begin with milliseconds since 1970, so 1731700000000 works as a time. Changes nothing for consumer groups.',
  phrases: 'read a stream; xrange; the latest entries of a stream; show events in a stream; tail a redis stream',
  effect: 'read',
  input: z.strictObject({
    ...key,
    start: rangeEnd.default('-').describe('Oldest id, ( before it leaves that one out; default the first entry'),
    end: rangeEnd.default('+').describe('Newest id, ( before it leaves that one out; default the last entry'),
    order: z.enum(['oldest', 'newest']).default('oldest').describe('Which come first'),
    limit: limitOf(20),
  }),
  output: z.object({
    key: z.string(),
    length: z.int().describe('How many entries the stream has'),
    entries: z.array(entryOutput),
    next: z.string().optional().describe('For the next page: start, or end if the newest come first'),
  }),
  async run({ key, start, end, order, limit }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'stream');
    const about = { key, length: numberIn(await send('XLEN', name)) };
    const range = { start, end, limit, newestFirst: order === 'newest' };
    return { ...about, ...(await streamEntries(send, name, range, about)) };
  },
});
