import { expect, test } from 'vitest';
import { finelyCpuOf, parseCpu, parseRss, parseSchedule } from './proc.ts';

test('CPU is user plus system time, even of a program with parentheses in its name', () => {
  const stat = '4242 (node (gate) x) S 1 4242 4242 0 -1 4194304 124 55 0 0 150 25 900 900 20 0 11 0 74615 3932160 531';
  expect(parseCpu(stat)).toBe(1_750_000);
});

test('CPU of short work is read to the nanosecond', () => {
  expect(parseSchedule('150977623 347936261 447\n')).toBe(150_977.623);
  const before = finelyCpuOf(process.pid);
  const begun = process.cpuUsage();
  for (let used = 0; used < 2000; ) {
    const { user, system } = process.cpuUsage(begun);
    used = user + system;
  }
  expect(finelyCpuOf(process.pid) - before).toBeGreaterThan(500);
});

test('resident memory is read from VmRSS, and a process that ended is not zero bytes', () => {
  expect(parseRss('Name:\tnode\nVmHWM:\t  99999 kB\nVmRSS:\t   61440 kB\nThreads:\t11\n')).toBe(60 * 1024 * 1024);
  expect(() => parseRss('Name:\tnode\nState:\tZ (zombie)\n')).toThrow('has ended');
});
