import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Send } from '../connection.ts';
import { bytesIn, numberIn } from '../replies.ts';
import { keyInput, redisTool, shownOutput } from '../tool.ts';
import { FETCHED, ITEM_ROOM, viewed } from '../view.ts';

export const getMany = redisTool({
  name: 'redis_get_many',
  title: 'Get several strings',
  description: 'Reads several strings at once. Long values are cut; redis_get_key shows the rest, and other types.',
  phrases:
    'read several keys at once; mget; compare the values of these keys; get many cache entries; fetch a list of keys',
  effect: 'read',
  input: z.strictObject({ keys: z.array(keyInput).min(1).max(100).describe('Of the values') }),
  output: z.object({
    values: z.array(
      z.object({
        key: z.string(),
        ...shownOutput,
        value: shownOutput.value.optional(),
        missing: z.boolean().optional().describe('Set if there is no such key'),
        other_type: z.boolean().optional().describe('Set if it is not a string: redis_get_key shows it'),
      }),
    ),
    left_out: z.int().optional().describe('How many did not fit into the reply: ask for fewer keys'),
  }),
  async run({ keys }, redis, { signal }) {
    const send = redis.during(signal);
    const names = keys.map((key) => redis.keys.need(key));
    const values = await Promise.all(
      names.map(async (name, at) => ({ key: keys[at] ?? '', ...(await viewOf(send, name)) })),
    );
    const shown = values.slice(0, fittingItems(values));
    return { values: shown, ...(shown.length < values.length && { left_out: values.length - shown.length }) };
  },
});

async function viewOf(send: Send, name: Buffer) {
  try {
    const [exists, total, part] = await Promise.all([
      send('EXISTS', name).then(numberIn),
      send('STRLEN', name).then(numberIn),
      send('GETRANGE', name, 0, FETCHED - 1).then(bytesIn),
    ]);
    if (exists === 0) return { missing: true };
    const { next_offset: _, ...shown } = viewed(part, { total, room: ITEM_ROOM });
    return shown;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return { other_type: true };
    throw error;
  }
}
