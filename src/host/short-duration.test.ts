import { expect, test } from 'vitest';
import { shortDuration } from './short-duration.ts';

test.each([
  [-5, '0s'],
  [59_400, '59s'],
  [60_000, '1m'],
  [3_599_000, '59m'],
  [3_600_000, '1h'],
  [86_399_000, '23h'],
  [200_000_000, '2d'],
])('%d ms', (ms, text) => expect(shortDuration(ms)).toBe(text));
