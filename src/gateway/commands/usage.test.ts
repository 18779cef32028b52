import { expect, test } from 'vitest';
import type { UsageReport } from '../status/usage.ts';
import { usageText } from './usage.ts';

const plain = { width: undefined, paint: (_: string, text: string) => text };
const row = {
  name: 'notes__search',
  source: 'notes',
  calls: 12_530,
  failed: 3,
  p50Ms: 11.3,
  p95Ms: 32,
  reason: 'timeout',
};
const report: UsageReport = {
  since: '2026-11-08T09:00:00.000Z',
  until: '2026-11-15T09:00:00.000Z',
  by: 'tool',
  calls: 12_530,
  failed: 3,
  distinct: 1,
  mostUsed: [row],
  slowest: [row],
  mostFailing: [],
};

test('the lists a person wants to see, without those that are empty', () => {
  expect(usageText(report, plain)).toBe(`12,530 calls to 1 tool since 2026-11-08T09:00:00.000Z, 3 of them failed.

Most used:
TOOL           CALLS   FAILED  P50      P95    MOSTLY BECAUSE
notes__search  12,530  3       11.3 ms  32 ms  timeout

Slowest:
TOOL           CALLS   FAILED  P50      P95    MOSTLY BECAUSE
notes__search  12,530  3       11.3 ms  32 ms  timeout`);
});

test('keys call, and are not called; a name cannot command the terminal', () => {
  const name = 'key:\u001b[31mred';
  const text = usageText({ ...report, by: 'key', distinct: 2, mostUsed: [{ ...row, name }] }, plain);
  expect(text).toMatch(/^12,530 calls by 2 keys since/);
  expect(text).not.toContain('\u001b');
});

test('no calls are no table', () => {
  const nothing = { calls: 0, failed: 0, distinct: 0, mostUsed: [], slowest: [], mostFailing: [] };
  expect(usageText({ ...report, ...nothing }, plain)).toBe('No calls since 2026-11-08T09:00:00.000Z.');
});
