import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Message, mostTokens } from './most-tokens.ts';

const user = (content: string): Message => ({ role: 'user', content });

test('no text has more tokens than its bytes, however a model writes it out', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 50 }), { minLength: 1, maxLength: 3 }), (texts) => {
      const most = mostTokens(texts.map(user));
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
        const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text.normalize(form)), 0);
        expect(most).toBeGreaterThanOrEqual(bytes + 8 * texts.length + 500);
      }
    }),
  );
});

test('a sign that becomes several is counted as those', () => {
  expect(mostTokens([user('\ufdfa'.repeat(1000))])).toBeGreaterThan(18_000);
});

test('marks in the wrong order take no longer than others', () => {
  const marks = `a${'\u0301'.repeat(100_000)}${'\u0323'.repeat(100_000)}`;
  // Minutes, if they were sorted.
  expect(mostTokens([user(marks)])).toBe(1024 + 32 + Buffer.byteLength(marks));
});

test('no form of two signs together has more', () => {
  const both = '\uff21\u00e9';
  expect(mostTokens([user(both)]) - mostTokens([user('')])).toBe(Buffer.byteLength(both.normalize('NFD')));
});

test('a schema counts, with indentation', () => {
  const schema = { type: 'object', properties: { deep: { type: 'object', properties: { a: { type: 'string' } } } } };
  expect(mostTokens([user('x')], schema) - mostTokens([user('x')])).toBeGreaterThan(
    JSON.stringify(schema, null, 2).length,
  );
});
