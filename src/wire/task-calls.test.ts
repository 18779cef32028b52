import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TaskCalls } from './task-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const task = (taskId: string, more: object = {}) => ({ task: { taskId, status: 'working', ...more } });

test('keeps only calls that were answered with a running task', () => {
  const calls = new TaskCalls<string>();
  calls.answered(1, { content: [] }, 'plain');
  calls.answered(2, { task: 'no object' }, 'odd');
  calls.answered(3, task('done', { status: 'completed' }), 'over');
  calls.answered(4, undefined, 'nothing');
  expect(calls.size).toBe(0);
  calls.answered(5, task('t'), 'mine');
  expect(calls.find(5)).toMatchObject({ task: 't', call: 'mine' });
});

test('forgets an ended task, and keeps the others', () => {
  const calls = new TaskCalls<string>();
  calls.answered(1, task('a'), 'one');
  calls.answered(2, task('b'), 'two');
  calls.ended('a');
  expect([calls.find(1), calls.find(2)?.call]).toEqual([undefined, 'two']);
});

test('forgets an expired task, and one without expiry after a day', () => {
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

test('drops the oldest of very many', () => {
  const calls = new TaskCalls<number>();
  for (let id = 0; id < 1500; id++) calls.answered(id, task(`t${id}`), id);
  expect(calls.size).toBe(1000);
  expect([calls.find(499), calls.find(500)?.call]).toEqual([undefined, 500]);
});
