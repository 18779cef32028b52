import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { neededType } from '../found.ts';
import { listIn } from '../replies.ts';
import { entryOutput, groupInput } from '../stream-schema.ts';
import { key, redisTool } from '../tool.ts';
import { entriesIn, viewedEntry } from '../types/stream.ts';

export const readGroup = redisTool({
  name: 'redis_read_group',
  title: 'Read as a consumer',
  description:
    'Hands the next entries of a stream out to a consumer of a group, or shows again those that it has not acknowledged. redis_ack_entries acknowledges them.',
  phrases: 'read from a consumer group; xreadgroup; consume the next messages of a stream; get work from a stream',
  effect: 'execute',
  input: z.strictObject({
    ...key,
    group: groupInput.describe('Name of the group'),
    consumer: groupInput.describe('Who reads; created if it is new'),
    pending: z.boolean().default(false).describe('Shows what this consumer has read but not acknowledged'),
    limit: z.int().min(1).max(100).default(5).describe('How many at most'),
  }),
  output: z.object({
    key: z.string(),
    entries: z.array(entryOutput),
    left_out: z.int().optional().describe('Entries that were handed out but did not fit: ask for pending'),
  }),
  async run({ key, group, consumer, pending, limit }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'stream');
    const read = await send(
      'XREADGROUP',
      'GROUP',
      group,
      consumer,
      'COUNT',
      limit,
      'STREAMS',
      name,
      pending ? '0' : '>',
    );
    const [stream] = listIn(read);
    const [, found = []] = stream === undefined ? [] : listIn(stream);
    const entries = entriesIn(found).map(viewedEntry);
    const shown = entries.slice(0, entries.length === 0 ? 0 : fittingItems(entries, { key }));
    return { key, entries: shown, ...(shown.length < entries.length && { left_out: entries.length - shown.length }) };
  },
});
