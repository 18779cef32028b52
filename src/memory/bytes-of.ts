import type { Memory } from './engine.ts';

/** About how much a version takes up in the store, as the column `bytes` has it. */
export const bytesOf = ({ text, tags, metadata }: Memory): number =>
  5 * Buffer.byteLength(text) +
  Buffer.byteLength(JSON.stringify(tags)) +
  Buffer.byteLength(JSON.stringify(metadata)) +
  500;
