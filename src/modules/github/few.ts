import { shortened } from '../shown.ts';

const MOST_OF_NAME = 80;

/** The first of many names, as many as fit into so many bytes of JSON, and how many more there are. */
export function few(names: readonly string[], mostBytes: number): string[] {
  let left = mostBytes;
  const short = names.map((name) => shortened(name, MOST_OF_NAME));
  const over = short.findIndex((name) => {
    left -= Buffer.byteLength(JSON.stringify(name)) + 1;
    return left < 0;
  });
  if (over === -1) return short;
  const count = Math.max(1, over);
  return count === names.length ? short : [...short.slice(0, count), `and ${names.length - count} more`];
}
