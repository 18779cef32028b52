import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { neededType } from '../found.ts';
import { fieldsIn, listIn, numberIn, type Reply, textIn } from '../replies.ts';
import { groupInput } from '../stream-schema.ts';
import { key, redisTool } from '../tool.ts';
import { viewedName } from '../view.ts';

const groupOutput = z.object({
  name: z.string(),
  consumers: z.int(),
  pending: z.int().describe('Read but not acknowledged'),
  last_id: z.string().describe('Of the last entry that was handed out'),
  lag: z.int().optional().describe('How many entries wait to be handed out'),
});

const consumerOutput = z.object({ name: z.string(), pending: z.int(), idle_ms: z.int() });

export const getStreamInfo = redisTool({
  name: 'redis_get_stream_info',
  title: 'Describe a stream',
  description:
    'Shows the length of a stream, its first and last ids, its consumer groups with what is pending, and the consumers of one group.',
  phrases:
    'stream info; consumer groups of a stream; how far behind is a consumer; pending messages of a group; xinfo; stream lag',
  effect: 'read',
  input: z.strictObject({ ...key, group: groupInput.optional().describe('Also lists the consumers of this group') }),
  output: z.object({
    key: z.string(),
    length: z.int(),
    first_id: z.string().optional(),
    last_id: z.string().optional(),
    groups: z.array(groupOutput),
    consumers: z.array(consumerOutput).optional(),
    left_out: z.int().optional().describe('Groups or consumers that did not fit into the reply'),
  }),
  async run({ key, group }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'stream');
    const [stream, all, some] = await Promise.all([
      send('XINFO', 'STREAM', name).then(fieldsIn),
      send('XINFO', 'GROUPS', name).then(listIn),
      group === undefined ? undefined : send('XINFO', 'CONSUMERS', name, group).then(listIn),
    ]);
    const idOf = (entry: Reply | undefined) => (entry == null ? undefined : textIn(listIn(entry)[0] ?? ''));
    const [first, last] = [idOf(stream.get('first-entry')), idOf(stream.get('last-entry'))];
    const about = {
      key,
      length: count(stream.get('length')),
      ...(first !== undefined && { first_id: first }),
      ...(last !== undefined && { last_id: last }),
    };
    const items = [
      ...(some ?? []).map((one) => ({ consumer: consumerIn(fieldsIn(one)) })),
      ...all.map((one) => ({ group: groupIn(fieldsIn(one)) })),
    ];
    const shown = items.slice(0, items.length === 0 ? 0 : fittingItems(items, about));
    return {
      ...about,
      groups: shown.flatMap((one) => ('group' in one ? [one.group] : [])),
      ...(some && { consumers: shown.flatMap((one) => ('consumer' in one ? [one.consumer] : [])) }),
      ...(shown.length < items.length && { left_out: items.length - shown.length }),
    };
  },
});

const count = (reply: Reply | undefined): number => numberIn(reply ?? '0');
const nameIn = (reply: Reply | undefined): string => (Buffer.isBuffer(reply) ? viewedName(reply) : '');

function groupIn(fields: ReadonlyMap<string, Reply>): z.output<typeof groupOutput> {
  const lag = fields.get('lag');
  return {
    name: nameIn(fields.get('name')),
    consumers: count(fields.get('consumers')),
    pending: count(fields.get('pending')),
    last_id: textIn(fields.get('last-delivered-id') ?? ''),
    ...(lag != null && { lag: numberIn(lag) }),
  };
}

const consumerIn = (fields: ReadonlyMap<string, Reply>): z.output<typeof consumerOutput> => ({
  name: nameIn(fields.get('name')),
  pending: count(fields.get('pending')),
  idle_ms: count(fields.get('idle')),
});
