import { expect, test } from 'vitest';
import { waitsUntil } from './lost.ts';
import type { Begun } from './run-tool.ts';

const begun = (timeoutMs: number) => ({ sought: { since: 0 }, timeoutMs }) as Partial<Begun> as Begun;

test.each([
  ['a caller who hears progress waits to the end', 600_000, true, 10_000, 600_000],
  ['one who hears nothing has an answer within a minute', 600_000, false, 10_000, 45_000],
  ['one who has waited longer is patient', 600_000, false, 120_000, 165_000],
  ['nobody waits beyond the end', 30_000, false, 10_000, 30_000],
])('%s', (_, timeoutMs, hears, now, until) => {
  expect(waitsUntil(begun(timeoutMs), hears, now)).toBe(until);
});
