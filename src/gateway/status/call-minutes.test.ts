import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallEnd } from '../../kernel/call.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import { gatewayMigrations } from '../migrations.ts';
import { createCallMinutes } from './call-minutes.ts';

const START = Date.parse('2026-01-01T10:00:30Z');
let now: number;

beforeEach(() => {
  now = START;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

const openStore = () => openSqlite(':memory:', { migrations: new Map([['gateway', gatewayMigrations]]) });

function call({ observer }: ReturnType<typeof createCallMinutes>, reason?: string, state?: CallEnd['state']): void {
  const end = {
    ms: 1,
    outcome: {},
    state: state ?? (reason === undefined ? 'completed' : 'failed'),
    ...(reason !== undefined && { reason }),
  } as CallEnd;
  observer.begins({} as never, {} as never, {} as never)?.(end);
}

const busy = async (minutes: ReturnType<typeof createCallMinutes>) =>
  (await minutes.lastHour()).flatMap(({ at, calls, errors }) => (calls > 0 ? [[at.slice(11, 16), calls, errors]] : []));

test('counts calls and failures that somebody should look into by minute, the current one last', async () => {
  await using store = await openStore();
  const minutes = createCallMinutes(store.tables, () => now);
  call(minutes);
  call(minutes, 'timeout');
  call(minutes, 'cancelled');
  for (let count = 0; count < 10; count++) call(minutes, undefined, 'unconfirmed');
  now += 60_000;
  call(minutes);
  const hour = await minutes.lastHour();
  expect(hour).toHaveLength(60);
  expect(hour[0]?.at).toBe('2026-01-01T09:02:00.000Z');
  expect(hour.slice(-2)).toEqual([
    { at: '2026-01-01T10:00:00.000Z', calls: 13, errors: 1 },
    { at: '2026-01-01T10:01:00.000Z', calls: 1, errors: 0 },
  ]);
});

test('adds up what several processes count, before and after they have written it', async () => {
  await using store = await openStore();
  const [one, other] = [createCallMinutes(store.tables, () => now), createCallMinutes(store.tables, () => now)];
  call(one);
  call(other, 'refused');
  await vi.advanceTimersByTimeAsync(5000);
  call(one);
  expect(await busy(one)).toEqual([['10:00', 3, 1]]);
  expect(await busy(other)).toEqual([['10:00', 2, 1]]);
  await one[Symbol.asyncDispose]();
  expect(await busy(createCallMinutes(store.tables, () => now))).toEqual([['10:00', 3, 1]]);
});

test('forgets what is older than an hour', async () => {
  await using store = await openStore();
  const minutes = createCallMinutes(store.tables, () => now);
  call(minutes);
  await vi.advanceTimersByTimeAsync(5000);
  now += 61 * 60_000;
  call(minutes);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await busy(minutes)).toEqual([['11:01', 1, 0]]);
  expect(await store.tables.rows('SELECT minute FROM call_minutes')).toHaveLength(1);
});

test('keeps the counts while the store fails', async () => {
  await using store = await openStore();
  const failing = vi.spyOn(store.tables, 'change').mockRejectedValueOnce(new Error('the disk is full'));
  const minutes = createCallMinutes(store.tables, () => now);
  call(minutes);
  await vi.advanceTimersByTimeAsync(5000);
  call(minutes);
  await vi.advanceTimersByTimeAsync(5000);
  expect(failing).toHaveBeenCalledTimes(3);
  expect(await busy(createCallMinutes(store.tables, () => now))).toEqual([['10:00', 2, 0]]);
});
