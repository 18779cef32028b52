import { z } from 'zod';
import { neededType } from '../found.ts';
import { numberIn } from '../replies.ts';
import { entryId, groupInput } from '../stream-schema.ts';
import { key, redisTool } from '../tool.ts';

export const ackEntries = redisTool({
  name: 'redis_ack_entries',
  title: 'Acknowledge entries',
  description: 'Marks entries of a stream as done by a consumer group, so that they are no longer pending.',
  phrases: 'acknowledge stream messages; xack; mark an entry as processed; confirm that a message is done',
  effect: 'update',
  input: z.strictObject({
    ...key,
    group: groupInput.describe('Name of the group'),
    ids: z.array(entryId).min(1).max(1000).describe('Of the entries'),
  }),
  output: z.object({ key: z.string(), acknowledged: z.int() }),
  async run({ key, group, ids }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'stream');
    return { key, acknowledged: numberIn(await send('XACK', name, group, ...ids)) };
  },
});
