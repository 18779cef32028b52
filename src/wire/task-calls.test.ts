import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TaskCalls } from './task-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const task = (taskId: string, more: object = {}) => ({ task: { taskId, status: 'working', ...more } });

test('only a call that was answered with a task that goes on is kept', () => {
  const calls = new TaskCalls<string>();
  calls.answered(1, { content: [] }, 'plain');
  calls.answered(2, { task: 'no object' }, 'odd');
  calls.answered(3, task('done', { status: 'completed' }), 'over');
  calls.answered(4, undefined, 'nothing');
  expect(calls.size).toBe(0);
  calls.answered(5, task('t'), 'mine');
  expect(calls.find(5)).toMatchObject({ task: 't', call: 'mine' });
});

test('a task that ended is forgotten, the others are not', () => {
  const calls = new TaskCalls<string>();
  calls.answered(1, task('a'), 'one');
  calls.answered(2, task('b'), 'two');
  calls.ended('a');
  expect([calls.find(1), calls.find(2)?.call]).toEqual([undefined, 'two']);
});

test('a task whose time is over is forgotten, and one without a time after a day', () => {
  const calls = new TaskCalls<string>();
  calls.answered(1, task('short', { ttl: 1000 }), 'short');
  calls.answered(2, task('endless', { ttl: null }), 'endless');
  calls.sweep(Date.now() + 999);
  expect(calls.size).toBe(2);
  calls.sweep(Date.now() + 1000);
  expect([calls.find(1), calls.find(2)?.call]).toEqual([undefined, 'endless']);
  calls.sweep(Date.now() + 24 * 3_600_000);
  expect(calls.size).toBe(0);
});

test('of very many the oldest go', () => {
  const calls = new TaskCalls<number>();
  for (let id = 0; id < 1500; id++) calls.answered(id, task(`t${id}`), id);
  expect(calls.size).toBe(1000);
  expect([calls.find(499), calls.find(500)?.call]).toEqual([undefined, 500]);
});
