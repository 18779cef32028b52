import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { revealedPart } from './revealed-part.ts';

test('what has room is shown, and the rest is named', () => {
  const entries = Array.from({ length: 40 }, (_, n) => [`key-${n}`, 'v'.repeat(200)] as const);
  const { values, left_out = [] } = revealedPart(entries, 0, {});
  const shown = Object.keys(values).length;
  expect(shown).toBeGreaterThan(5);
  expect(left_out[0]).toBe(`key-${shown}`);
  expect(left_out.at(-1)).toBe(`… (${40 - shown - 20} more)`);
});

test('a long value comes in parts that make up the whole, each small enough', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '\n', '"', '\u0001', '😀', 'ü'),
    minLength: 3000,
    maxLength: 9000,
  });
  const { failed, counterexample } = fc.check(
    fc.property(text, (value) => {
      let whole = '';
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const { values, next_offset }: ReturnType<typeof revealedPart> = revealedPart([['k', value]], offset, {});
        const reply = { path: 'secret/app', values, next_offset };
        const sent = JSON.stringify(reply).length + JSON.stringify(JSON.stringify(reply)).length;
        if (sent > 8000) return false;
        whole += String(values.k);
        offset = next_offset;
      }
      return whole === value;
    }),
    { numRuns: 30 },
  );
  expect(failed, JSON.stringify(counterexample)?.slice(0, 300)).toBe(false);
});

test('an empty secret, and an offset behind the end', () => {
  expect(revealedPart([], 0, {})).toEqual({ values: {} });
  expect(revealedPart([['k', 'abc']], 10, {})).toEqual({ values: { k: '' } });
});
