import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRefusalReport, type RefusalFact } from './refusal-report.ts';

let told: RefusalFact[];
beforeEach(() => {
  told = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const open = () => createRefusalReport((fact) => told.push({ ...fact }));

it('reports each kind per address once, and the repeats after a minute', () => {
  using report = open();
  for (let n = 0; n < 1000; n++) report.add('192.0.2.1', 'host', `the Host evil-${n}.example is not one of ours`);
  report.add('192.0.2.1', 'origin', 'another');
  expect(told).toEqual([
    { address: '192.0.2.1', reason: 'the Host evil-0.example is not one of ours', times: 1 },
    { address: '192.0.2.1', reason: 'another', times: 1 },
  ]);
  vi.advanceTimersByTime(60_000);
  expect(told.slice(2)).toEqual([
    { address: '192.0.2.1', reason: 'the Host evil-0.example is not one of ours', times: 999 },
  ]);
});

it('reports a limited number a minute and counts the rest', () => {
  using report = open();
  for (let n = 0; n < 10_000; n++) report.add(`10.0.${n >> 8}.${n & 255}`, 'host', 'x');
  for (let n = 0; n < 10_000; n++) report.add(`2001:db8:1:2::${n.toString(16)}`, 'host', 'x');
  expect(told).toHaveLength(100);
  vi.advanceTimersByTime(60_000);
  expect(told.at(-1)).toEqual({ address: 'many', reason: expect.any(String) as string, times: 19_900 });
  expect(told.length).toBeLessThanOrEqual(201);
  report.add('10.0.0.1', 'host', 'again');
  expect(told.at(-1)).toEqual({ address: '10.0.0.1', reason: 'again', times: 1 });
});

it('shows a short and harmless sample of what was sent', () => {
  using report = open();
  report.add('192.0.2.1', 'host', `\u001b[2J\n${'x'.repeat(5000)}`);
  expect(told[0]?.reason.startsWith('?[2J?xxx')).toBe(true);
  expect(told[0]?.reason.length).toBeLessThan(260);
});
