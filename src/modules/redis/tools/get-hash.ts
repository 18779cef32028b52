import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Json } from '../../../kernel/source.ts';
import type { Send } from '../connection.ts';
import { neededType } from '../found.ts';
import { bytesOf } from '../names.ts';
import { bytesIn, numberIn } from '../replies.ts';
import { cursorInput, cursorOutput, key, limitOf, nameInput, patternInput, redisTool, shownOutput } from '../tool.ts';
import { hashPage } from '../types/hash.ts';
import { ITEM_ROOM, viewed } from '../view.ts';

/** Redis sends a field whole. A larger one is named with its size only. */
const MOST_FETCHED = 4 * 1024 * 1024;

export const getHash = redisTool({
  name: 'redis_get_hash',
  title: 'Get a hash',
  description:
    'Reads a hash a page at a time, or only the fields that you name. Long values are cut: name one field with offset to read on.',
  phrases: 'read a hash; hgetall; show the fields of a hash; get one field of a hash; which fields does this hash have',
  effect: 'read',
  input: z.strictObject({
    ...key,
    fields: z.array(nameInput).min(1).max(100).optional().describe('Only these fields'),
    offset: z.int().min(0).default(0).describe('Where to begin in the value of the one field that is named, in bytes'),
    pattern: patternInput.optional().describe('Only fields whose name matches this glob'),
    limit: limitOf(100),
    cursor: cursorInput,
  }),
  output: z.object({
    key: z.string(),
    length: z.int().describe('How many fields the hash has'),
    fields: z.array(
      z.object({
        field: z.string(),
        ...shownOutput,
        value: shownOutput.value.optional(),
        missing: z.boolean().optional().describe('Set for a named field that the hash does not have'),
        next_offset: z.int().optional(),
      }),
    ),
    left_out: z.int().optional().describe('Named fields that did not fit into the reply'),
    cursor: cursorOutput,
  }),
  async run({ key, fields, offset, pattern, limit, cursor }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'hash');
    const length = numberIn(await send('HLEN', name));
    const about = { key, length };
    if (fields) return { ...about, ...(await namedFields(send, name, fields, offset, about)) };
    if (offset > 0) throw new AppError('invalid_input', 'offset is for one field: name it in fields.');
    const page = await hashPage(send, name, { pattern, limit, cursor, mostMs: redis.patienceMs }, about);
    return { ...about, ...page, fields: [...page.fields] };
  },
});

async function namedFields(send: Send, key: Buffer, fields: readonly string[], offset: number, about: Json) {
  const isOne = fields.length === 1;
  if (offset > 0 && !isOne) throw new AppError('invalid_input', 'offset is for one field: name only that one.');
  const found = await Promise.all(
    fields.map(async (field) => {
      const bytes = bytesOf(field);
      const size = numberIn(await send('HSTRLEN', key, bytes));
      if (size > MOST_FETCHED) return { field, value: '', bytes: size };
      const value = await send('HGET', key, bytes);
      if (value === null) return { field, missing: true };
      const whole = bytesIn(value);
      const view = { offset, total: whole.length, beside: JSON.stringify([about, field]) };
      return { field, ...viewed(whole.subarray(offset), isOne ? view : { ...view, room: ITEM_ROOM }) };
    }),
  );
  const shown = found.slice(0, fittingItems(found, about));
  return { fields: shown, ...(shown.length < found.length && { left_out: found.length - shown.length }) };
}
