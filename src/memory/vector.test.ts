import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cosine, packed } from './vector.ts';

const vector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 })
  .map((values) => Float32Array.from(values))
  .filter((values) => values.some((value) => Math.abs(value) > 0.01));

const exact = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * (other[at] as number), 0) / (Math.hypot(...one) * Math.hypot(...other));

test('a vector keeps its model, its signs and its direction', () => {
  const { model, bytes, bits } = packed(Float32Array.of(0.5, -1, 0, 0.25, 0.1, -0.1, 0.1, 0.1, 0.1), 'letters@1');
  expect(model).toBe('letters@1');
  expect([...bytes]).toEqual([64, -127, 0, 32, 13, -13, 13, 13, 13]);
  expect([...bits]).toEqual([0b11011001, 1]);
});

test('the cosine of bytes is that of the numbers', () => {
  fc.assert(
    fc.property(vector, vector, (one, other) => {
      const bytes = [packed(one, 'm').bytes, packed(other, 'm').bytes] as const;
      expect(Math.abs(cosine(...bytes) - exact(one, other))).toBeLessThan(0.02);
      expect(Math.max(...bytes[0].map(Math.abs))).toBe(127);
    }),
  );
});

test('the same direction at another length is the same', () => {
  fc.assert(
    fc.property(vector, fc.integer({ min: 1, max: 1000 }), (one, times) => {
      const longer = packed(
        one.map((value) => value * times),
        'm',
      );
      expect(cosine(packed(one, 'm').bytes, longer.bytes)).toBeGreaterThan(0.999);
      expect(longer.bits).toEqual(packed(one, 'm').bits);
    }),
  );
});

test('nothing and numbers that are none have no direction', () => {
  for (const values of [new Float32Array(8), new Float32Array(8).fill(Number.NaN), Float32Array.of(Infinity, 1)]) {
    const { bytes } = packed(values, 'm');
    expect(cosine(bytes, bytes)).toBe(0);
  }
});
