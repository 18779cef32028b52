import { z } from 'zod';
import type { Redis, Send } from '../connection.ts';
import { lengthCommandOf, noKey, toolFor, ttlIn } from '../found.ts';
import { bytesIn, numberIn, textIn } from '../replies.ts';
import { key, redisTool, shownOutput } from '../tool.ts';
import { hashPage } from '../types/hash.ts';
import { jsonText } from '../types/json.ts';
import { listItems } from '../types/list.ts';
import { setPage } from '../types/set.ts';
import { rankedMembers } from '../types/sorted-set.ts';
import { streamEntries } from '../types/stream.ts';
import { FETCHED, viewed } from '../view.ts';

const FIRST = 50;

export const getKey = redisTool({
  name: 'redis_get_key',
  title: 'Get a key',
  description:
    'Reads a key of any type, with its type and TTL. Shows the whole of a short value, the beginning of a long one (offset continues a string), and the first items of a collection.',
  phrases:
    'read a redis key; get a value from redis; what is cached under this key; show the content of a key; look up a cache entry; what does this key hold',
  effect: 'read',
  input: z.strictObject({
    ...key,
    offset: z
      .int()
      .min(0)
      .max(536_870_912)
      .default(0)
      .describe('Where to begin in a string, in bytes: next_offset of the call before'),
  }),
  output: z.object({
    key: z.string(),
    type: z.string(),
    ttl: z.int().optional().describe('Seconds until it expires; absent if it does not'),
    ...shownOutput,
    value: shownOutput.value.optional().describe('Of a string or a JSON document'),
    next_offset: z.int().optional().describe('Where the rest begins'),
    length: z.int().optional().describe('How many items a collection has'),
    items: z.array(z.unknown()).optional().describe('The first items of a collection'),
    more: z.string().optional().describe('Which tool shows the rest'),
  }),
  async run({ key, offset }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    // Together in one round trip. A key of another type has neither length nor range, and its error does not matter.
    const [type, expiry, length, part] = await Promise.all([
      send('TYPE', name).then(textIn),
      send('PTTL', name).then(numberIn),
      send('STRLEN', name).then(numberIn).catch(other),
      send('GETRANGE', name, offset, offset + FETCHED - 1)
        .then(bytesIn)
        .catch(other),
    ]);
    if (type === 'none') throw noKey(name);
    const ttl = ttlIn(expiry);
    const about = { key, type, ...(ttl !== undefined && { ttl }) };
    if (length !== undefined && part !== undefined)
      return { ...about, ...viewed(part, { offset, total: length, beside: key }) };
    return { ...about, ...(await collection(redis, send, name, about)) };
  },
});

/** Only what the type of a key causes: a connection that is lost stays an error. */
const other = (error: unknown): undefined => {
  if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return undefined;
  throw error;
};

async function collection(redis: Redis, send: Send, key: Buffer, about: { type: string }) {
  const { type } = about;
  const measure = lengthCommandOf(type);
  const length = measure === undefined ? undefined : numberIn(await send(measure, key));
  const items = await itemsOf(redis, send, key, { ...about, length: length ?? 0 });
  const isAll = items?.items ? items.items.length === length : items !== undefined && items.bytes === undefined;
  const tool = toolFor(type);
  return {
    ...items,
    ...(length !== undefined && { length }),
    ...(!isAll && {
      more: tool === undefined ? `No tool shows values of the type ${type}.` : `${tool} shows the rest.`,
    }),
  };
}

async function itemsOf(
  redis: Redis,
  send: Send,
  key: Buffer,
  besides: { type: string; length: number },
): Promise<{ value?: string; bytes?: number; items?: unknown[] } | undefined> {
  const page = { limit: FIRST, mostMs: redis.patienceMs };
  const { type, length } = besides;
  switch (type) {
    case 'hash':
      return { items: [...(await hashPage(send, key, page, besides)).fields] };
    case 'list':
      return { items: (await listItems(send, key, { start: 0, length, ...page }, besides)).items };
    case 'set':
      return { items: [...(await setPage(send, key, page, besides)).members] };
    case 'zset':
      return { items: (await rankedMembers(send, key, { start: 0, ...page }, besides)).members };
    case 'stream':
      return { items: (await streamEntries(send, key, { start: '-', end: '+', ...page }, besides)).entries };
    case 'ReJSON-RL': {
      const { value, bytes } = await jsonText(send, key, '$', 0);
      return { value, ...(bytes !== undefined && { bytes }) };
    }
    default:
      return undefined;
  }
}
