import { expect, test } from 'vitest';
import { waitsUntil } from './lost.ts';
import type { Begun } from './run-tool.ts';

const begun = (timeoutMs: number) => ({ sought: { since: 0 }, timeoutMs }) as Partial<Begun> as Begun;

test.each([
  ['with progress, waits until the timeout', 600_000, true, 10_000, 600_000],
  ['without progress, answers within a minute', 600_000, false, 10_000, 45_000],
  ['a caller that has already waited longer is patient', 600_000, false, 120_000, 165_000],
  ['never waits beyond the timeout', 30_000, false, 10_000, 30_000],
])('%s', (_, timeoutMs, hears, now, until) => {
  expect(waitsUntil(begun(timeoutMs), hears, now)).toBe(until);
});
