import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { bytesIn, numberIn } from '../replies.ts';
import { keyInput, redisTool, shownOutput } from '../tool.ts';
import { FETCHED, ITEM_ROOM, viewed } from '../view.ts';

export const getMany = redisTool({
  name: 'redis_get_many',
  title: 'Get several strings',
  description:
    'Reads several strings at once. Keys without a value are in missing, keys of another type in other_types. Long values are cut; redis_get_key shows the rest.',
  phrases:
    'read several keys at once; mget; compare the values of these keys; get many cache entries; fetch a list of keys',
  effect: 'read',
  input: z.strictObject({ keys: z.array(keyInput).min(1).max(100).describe('Of the values') }),
  output: z.object({
    values: z.array(z.object({ key: z.string(), ...shownOutput })),
    missing: z.array(z.string()),
    other_types: z.array(z.string()),
    left_out: z.int().optional().describe('How many did not fit into the reply. Ask for fewer keys'),
  }),
  async run({ keys }, redis, { signal }) {
    const send = redis.during(signal);
    const names = keys.map((key) => redis.keys.need(key));
    const read = await Promise.all(
      names.map(async (name, at) => {
        const key = keys[at] ?? '';
        try {
          const [exists, total, part] = await Promise.all([
            send('EXISTS', name),
            send('STRLEN', name).then(numberIn),
            send('GETRANGE', name, 0, FETCHED - 1).then(bytesIn),
          ]);
          if (numberIn(exists) === 0) return { key, is: 'missing' as const };
          const { next_offset: _, ...shown } = viewed(part, { total, room: ITEM_ROOM });
          return { key, is: 'string' as const, shown };
        } catch (error) {
          if (!(error instanceof Error && error.message.startsWith('WRONGTYPE'))) throw error;
          return { key, is: 'other' as const };
        }
      }),
    );
    const named = (is: string) => read.flatMap((one) => (one.is === is ? [one.key] : []));
    const besides = { missing: named('missing'), other_types: named('other') };
    const values = read.flatMap((one) => (one.is === 'string' ? [{ key: one.key, ...one.shown }] : []));
    const shown = values.slice(0, values.length === 0 ? 0 : fittingItems(values, besides));
    return {
      values: shown,
      ...besides,
      ...(shown.length < values.length && { left_out: values.length - shown.length }),
    };
  },
});
