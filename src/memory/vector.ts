import type { Vector } from './engine.ts';
export function packed(vector: Float32Array, model: string): Vector {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const bytes = Int8Array.from(vector, (value) => Math.round((value / (most || 1)) * 127));
  const bits = new Uint8Array(Math.ceil(vector.length / 8));
  for (let at = 0; at < vector.length; at++)
    if ((vector[at] as number) > 0) bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  return { model, bytes, bits };
}
export function cosine(one: Int8Array, other: Int8Array): number {
  let [dot, a, b] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [x, y] = [one[at] as number, other[at] as number];
    dot += x * y;
    a += x * x;
    b += y * y;
  }
  return dot / (Math.sqrt(a * b) || 1);
}
