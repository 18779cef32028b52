import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Progress } from '../kernel/progress.ts';
import { HttpError } from './http.ts';
import { retryAfter, tryLater, untilAllowed } from './rate-limited.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const signal = new AbortController().signal;
const limited = (headers: Record<string, string> = { 'retry-after': '0' }, status = 429) =>
  new HttpError(status, 'slow down', headers);

/** Fails with these errors, one after the other, then works. */
function work(...errors: Error[]) {
  return vi.fn<() => Promise<string>>(() => {
    if (errors.length === 0) return Promise.resolve('done');
    return Promise.reject(errors.shift());
  });
}

test('work that is not limited is done once', async () => {
  const once = work();
  expect(await untilAllowed(once, { at: 'x', signal })).toBe('done');
  expect(once).toHaveBeenCalledTimes(1);
});

test('short waits are waited for, and told', async () => {
  const progress = vi.fn<Progress>();
  const third = work(limited(), limited({ 'retry-after': '0' }, 503));
  expect(await untilAllowed(third, { at: 'github at here', signal, progress })).toBe('done');
  expect(third).toHaveBeenCalledTimes(3);
  expect(progress.mock.calls).toEqual([
    [1, undefined, 'github at here limits requests. Waiting 1 s.'],
    [2, undefined, 'github at here limits requests. Waiting 1 s.'],
  ]);
});

test('a wait that is too long is not begun: the error says when', async () => {
  const never = work(limited({ 'retry-after': '3600' }));
  await expect(untilAllowed(never, { at: 'github at here', signal })).rejects.toMatchObject({
    code: 'rate_limited',
    saysWhen: true,
    message: 'github at here limits requests, and nothing was done. Try again in 3600 s (after 2026-03-01T13:00:00Z).',
  });
  expect(never).toHaveBeenCalledTimes(1);
});

test('all waits together stay below the limit', async () => {
  const often = work(...Array.from({ length: 20 }, () => limited()));
  await expect(untilAllowed(often, { at: 'x', signal, mostMs: 250 })).rejects.toMatchObject({ code: 'rate_limited' });
  // A wait takes at least 100 ms.
  expect(often).toHaveBeenCalledTimes(3);
});

test('other errors pass', async () => {
  for (const error of [new Error('odd'), limited({}, 500), limited({}, 503), limited({ 'retry-after': '0' }, 403)]) {
    const failing = work(error);
    await expect(untilAllowed(failing, { at: 'x', signal })).rejects.toBe(error);
    expect(failing).toHaveBeenCalledTimes(1);
  }
});

test('a service may say in its own way how long to wait', async () => {
  const own = work(limited({ 'x-reset': '0' }, 403));
  const waitOf = ({ headers }: HttpError) => Number(headers['x-reset']);
  expect(await untilAllowed(own, { at: 'x', signal, waitOf })).toBe('done');
});

test('a caller who has gone is not waited for', async () => {
  const gone = new AbortController();
  const waiting = untilAllowed(work(limited({ 'retry-after': '10' })), {
    at: 'x',
    signal: gone.signal,
    progress: () => gone.abort(new Error('nobody waits')),
  });
  await expect(waiting).rejects.toThrow('nobody waits');
});

test('Retry-After is a number of seconds or a date', () => {
  const after = (given: string) => retryAfter(limited({ 'retry-after': given }), NOW);
  expect(after('7')).toBe(7000);
  expect(after(' 7 ')).toBe(7000);
  expect(after('Sun, 01 Mar 2026 12:00:30 GMT')).toBe(30_000);
  expect(after('Sun, 01 Mar 2026 11:00:00 GMT')).toBe(0);
  expect(after('')).toBeUndefined();
  expect(after('soon')).toBeUndefined();
  expect(retryAfter(limited({}), NOW)).toBeUndefined();
});

test('seconds are rounded up', () => {
  expect(tryLater('x', 1500, undefined).message).toContain('in 2 s (after ');
});

test('the time to try again at is never before the wait has ended', () => {
  vi.setSystemTime(NOW + 999);
  expect(tryLater('x', 60_000, undefined).message).toContain('in 60 s (after 2026-03-01T12:01:01Z)');
});

test('a wait that no calendar has is still said', () => {
  expect(tryLater('x', 1e18, undefined)).toMatchObject({ code: 'rate_limited', saysWhen: true });
});
