import { expect, test } from 'vitest';
import { z } from 'zod';
import { inputWords, notCalled } from './input-words.ts';

const input = z.strictObject({
  id: z.union([z.string(), z.array(z.string())]),
  limit: z.number().optional(),
  operations: z
    .array(
      z.discriminatedUnion('op', [
        z.strictObject({ op: z.literal('connect'), from: z.string(), to: z.string(), kind: z.string().optional() }),
        z.strictObject({ op: z.literal('set_name'), name: z.string() }),
      ]),
    )
    .optional(),
});

test.each<[string, unknown, string]>([
  [
    'a misspelt key',
    { id: '1', limt: 3 },
    'unknown key "limt". Did you mean "limit"? Known keys: id, limit, operations.',
  ],
  [
    'a key of another form',
    { id: '1', operations: [{ op: 'connect', from: 'A', to: 'B', type: 'main' }] },
    'operations.0: unknown key "type". Known keys: op, from, to, kind.',
  ],
  ['a missing value, also one with several forms', {}, 'id is missing.'],
  ['a missing nested value', { id: '1', operations: [{ op: 'connect', from: 'A' }] }, 'operations.0.to is missing.'],
  ['a wrong type', { id: '1', limit: 'x' }, 'limit: Invalid input: expected number, received string.'],
])('says what to do about %s', (_, given, words) => {
  const { error } = input.safeParse(given, { error: inputWords });
  expect(notCalled('tool', error?.issues ?? [])).toBe(`tool was not called: ${words}`);
});
