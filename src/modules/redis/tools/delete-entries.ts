import { z } from 'zod';
import { neededType } from '../found.ts';
import { numberIn } from '../replies.ts';
import { counted, someOf } from '../sentences.ts';
import { entryId } from '../stream-schema.ts';
import { key, redisTool } from '../tool.ts';

export const deleteEntries = redisTool({
  name: 'redis_delete_entries',
  title: 'Delete entries of a stream',
  description: 'Deletes entries of a stream by their ids.',
  phrases: 'delete a stream entry; xdel; remove a message from a stream; drop events from a stream',
  effect: 'delete',
  input: z.strictObject({ ...key, ids: z.array(entryId).min(1).max(1000).describe('Of the entries') }),
  output: z.object({ key: z.string(), deleted: z.int() }),
  async preview({ key, ids }, redis, { signal }) {
    await neededType(redis.during(signal), redis.keys.need(key), 'stream');
    return `Deletes ${counted(ids.length, 'entry', 'entries')} of the stream ${key.slice(0, 200)} for good: ${someOf(ids)}.`;
  },
  async run({ key, ids }, redis, { signal }) {
    const name = redis.keys.need(key);
    return { key, deleted: numberIn(await redis.during(signal)('XDEL', name, ...ids)) };
  },
});
