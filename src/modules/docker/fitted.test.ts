import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitted } from './fitted.ts';

test('leaves alone what fits', () => {
  expect(fitted({ a: 1, b: ['x'] })).toEqual({ a: 1, b: ['x'] });
});

test('shortens the largest part and names it', () => {
  const labels = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`label-${n}`, 'value']));
  const { left_out, name } = fitted({ name: 'web', labels });
  expect(name).toBe('web');
  expect(left_out).toEqual(['labels']);
});

test('always ends, and fits', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 20_000 }),
    fc.array(fc.string({ maxLength: 3000 })),
    fc.dictionary(fc.string(), fc.string({ maxLength: 3000 })),
  );
  fc.assert(
    fc.property(fc.record({ a: part, b: part, c: part }), (answer) => {
      const json = JSON.stringify(fitted(answer));
      expect(Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))).toBeLessThan(8 * 1024);
    }),
    { numRuns: 50 },
  );
});
