import { expect, test } from 'vitest';
import { lastLines } from './last-lines.ts';

test.each([0, 2, 3, 4, 7, 100])('of %i lines the last three are kept', (count) => {
  const last = lastLines<number>(3);
  for (let n = 0; n < count; n++) last.add(n);
  expect(last.lines()).toEqual(Array.from({ length: count }, (_, n) => n).slice(-3));
  expect(last.dropped).toBe(count > 3);
});
