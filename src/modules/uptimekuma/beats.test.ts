import { describe, expect, test } from 'vitest';
import type { Beat } from './answers.ts';
import { beatsIn } from './answers.ts';
import { outagesIn, totalsOf } from './beats.ts';
import { plotOf } from './plot.ts';

const beat = (at: number, status: Beat['status'], ping?: number, message = ''): Beat => ({
  monitor: 1,
  status,
  at,
  message,
  ping,
  important: false,
});

describe('outages', () => {
  test('last from the first failure to the first success', () => {
    const beats = [
      beat(1, 'up'),
      beat(2, 'pending'),
      beat(3, 'down', undefined, 'timeout'),
      beat(4, 'down', undefined, 'refused'),
      beat(5, 'pending'),
      beat(6, 'up'),
      beat(7, 'maintenance'),
    ];
    expect(outagesIn(beats)).toEqual([{ from: 3, to: 6, reason: 'timeout' }]);
  });
  test('may go on', () => {
    expect(outagesIn([beat(1, 'down', undefined, 'x'), beat(2, 'down')])).toEqual([{ from: 1, reason: 'x' }]);
  });
});

test('totals count as Uptime Kuma does', () => {
  expect(totalsOf([beat(1, 'up', 10), beat(2, 'maintenance'), beat(3, 'down'), beat(4, 'pending')])).toEqual({
    beats: 4,
    down: 1,
    uptime: 0.5,
    ping: { min: 10, avg: 10, max: 10 },
  });
  expect(totalsOf([])).toEqual({ beats: 0, down: 0 });
});

test('a plot has sixty columns, and what is worse hides what is better', () => {
  const line = plotOf([beat(0, 'up', 1), beat(30, 'up', 80), beat(31, 'down'), beat(59, 'up', 80)], {
    from: 0,
    to: 60,
  });
  expect(line).toHaveLength(60);
  expect([line[0], line[30], line[31], line[59], line[10]]).toEqual(['▁', '█', 'x', '█', ' ']);
  expect(plotOf([beat(0, 'pending'), beat(1, 'maintenance')], { from: 0, to: 60 }).slice(0, 2)).toBe('~m');
});

test('rows of the database and objects of events are the same heartbeat', () => {
  const time = '2026-01-31 14:00:00.500';
  const [row, object, iso] = beatsIn([
    { monitor_id: 3, status: 0, time, msg: 'no', ping: null, important: 1 },
    { monitorID: 3, status: 0, time, msg: 'no', important: true },
    { monitorID: 3, status: 0, time: '2026-01-31T14:00:00.500Z', msg: 'no', important: true },
    { monitorID: 3, status: 0, time: 'never' },
    'garbage',
  ]);
  expect(row).toEqual({
    monitor: 3,
    status: 'down',
    at: Date.UTC(2026, 0, 31, 14, 0, 0, 500),
    message: 'no',
    important: true,
  });
  expect(object).toEqual(row);
  expect(iso).toEqual(row);
});
