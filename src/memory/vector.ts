import type { Vector } from './engine.ts';

const LARGEST = 127;

/**
 * A direction in one byte for each dimension, and one bit. Bits are signs: subtracting the mean first finds fewer of the
 * nearest (82 % of the nearest 20 among 50 by plain signs of the packaged model, 61 % by signs around the mean).
 */
export function packed(vector: Float32Array, model: string): Vector {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest > 0 && Number.isFinite(largest) ? LARGEST / largest : 0;
  const bytes = Int8Array.from(vector, (value) => Math.round(value * scale));
  const bits = new Uint8Array(Math.ceil(vector.length / 8));
  // The order of sqlite-vec: the first dimension is the lowest bit.
  for (const [at, value] of vector.entries())
    if (value > 0) bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  return { model, bytes, bits };
}

/** From -1 to 1; 0 if one of them has no direction. */
export function cosine(one: Int8Array, other: Int8Array): number {
  let product = 0;
  let ones = 0;
  let others = 0;
  for (let at = 0; at < one.length; at++) {
    const a = one[at] as number;
    const b = other[at] ?? 0;
    product += a * b;
    ones += a * a;
    others += b * b;
  }
  return ones === 0 || others === 0 ? 0 : product / Math.sqrt(ones * others);
}
