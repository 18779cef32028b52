import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { freeOrType } from '../found.ts';
import { key, redisTool, ttl, valueInput } from '../tool.ts';

export const setKey = redisTool({
  name: 'redis_set_key',
  title: 'Set a key',
  description:
    'Stores a string under a key and replaces the string that was there. Refuses keys of another type. Without ttl the key no longer expires, unless keep_ttl is set.',
  phrases:
    'set a redis key; cache this value; store a string in redis; write a value with an expiry; remember this for ten minutes in redis; update a cache entry',
  effect: 'update',
  input: z.strictObject({
    ...key,
    value: valueInput.describe('Text to store; numbers are stored as text'),
    ttl: ttl.ttl.describe('Seconds until it expires'),
    keep_ttl: z.boolean().default(false).describe('Keeps the expiry that the key has'),
    encoding: z.enum(['text', 'base64']).default('text').describe('base64 if the value is bytes'),
    only_if: z
      .enum(['absent', 'present'])
      .optional()
      .describe('Stores it only if there is no key yet, or if there is one'),
  }),
  output: z.object({ key: z.string(), stored: z.boolean(), bytes: z.int() }),
  async run({ key, value, ttl, keep_ttl, encoding, only_if }, redis, { signal }) {
    if (ttl !== undefined && keep_ttl) throw new AppError('invalid_input', 'Give ttl or keep_ttl, not both.');
    const name = redis.keys.need(key);
    const bytes = bytesToStore(String(value), encoding);
    const send = redis.during(signal);
    // SET would replace a hash or a list without a word.
    await freeOrType(send, name, 'string');
    const answer = await send(
      'SET',
      name,
      bytes,
      ...(ttl === undefined ? [] : ['EX', ttl]),
      ...(keep_ttl ? ['KEEPTTL'] : []),
      ...(only_if === undefined ? [] : [only_if === 'absent' ? 'NX' : 'XX']),
    );
    return { key, stored: answer !== null, bytes: bytes.length };
  },
});

function bytesToStore(value: string, encoding: 'text' | 'base64'): Buffer {
  if (encoding === 'text') return Buffer.from(value);
  const bytes = Buffer.from(value, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') === value.replace(/=+$/, '')) return bytes;
  throw new AppError('invalid_input', 'value is not base64. Leave encoding out to store it as text.');
}
