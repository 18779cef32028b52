import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { Upstream } from '../../wire/upstream.ts';
import { createCompanion } from './companion.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface FakeUpstream {
  inFlight: number;
  ended?: AppError;
  closed: boolean;
}

const unreachable = new AppError('unavailable', 'Nobody answers.');

/** A companion over fake connections. */
function fixture() {
  const made: FakeUpstream[] = [];
  const world = {
    attempts: 0,
    connects: (): Promise<unknown> => Promise.resolve(),
    speaks: true,
    check: () => Promise.resolve(),
  };
  const companion = createCompanion({
    async connect() {
      world.attempts++;
      await world.connects();
      if (!world.speaks) return undefined;
      const upstream = {
        inFlight: 0,
        closed: false,
        async close() {
          upstream.closed = true;
        },
      };
      made.push(upstream);
      return upstream as unknown as Upstream;
    },
    check: () => world.check(),
  });
  return { companion, made, world };
}

test('it opens once for all calls that need it', async () => {
  const { companion, made, world } = fixture();
  const [first, second] = await Promise.all([companion.open(), companion.open()]);
  expect(first).toBe(second);
  expect(companion.open()).toBe(first);
  expect(made).toHaveLength(1);
  expect(world.attempts).toBe(1);
});

test('the next call replaces a connection that ended; the end of another connection changes nothing', async () => {
  const { companion, made } = fixture();
  const first = (await companion.open()) as Upstream;
  companion.lost({} as Upstream);
  expect(companion.current()).toBe(first);
  companion.lost(first);
  expect(companion.current()).toBeUndefined();
  expect(await companion.open()).not.toBe(first);
  expect(made).toHaveLength(2);
});

test('after a failure, calls do not retry for a while', async () => {
  const { companion, world } = fixture();
  world.connects = () => Promise.reject(unreachable);
  expect(await companion.open()).toBeUndefined();
  expect(await companion.open()).toBeUndefined();
  expect(world.attempts).toBe(1);
  world.connects = () => Promise.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await companion.open()).toBeDefined();
});

test('a connection that needs a login is retried at once', async () => {
  const { companion, world } = fixture();
  world.connects = () => Promise.reject(new AppError('unavailable', 'Sign in.', { data: { needsLogin: true } }));
  expect(await companion.open()).toBeUndefined();
  world.connects = () => Promise.resolve();
  expect(await companion.open()).toBeDefined();
});

test('closing ends an open connection and one that is opening', async () => {
  const { companion, made, world } = fixture();
  await companion.open();
  await companion.close();
  expect(made[0]?.closed).toBe(true);
  const slow = Promise.withResolvers<void>();
  world.connects = () => slow.promise;
  const opening = companion.open();
  const closing = companion.close();
  slow.resolve();
  await closing;
  expect(await opening).toBeUndefined();
  expect(made[1]?.closed).toBe(true);
  expect(companion.current()).toBeUndefined();
});

test('it closes after some time without calls, but not during a call', async () => {
  const { companion, made } = fixture();
  await companion.open();
  const [upstream] = made as [FakeUpstream];
  upstream.inFlight = 1;
  await vi.advanceTimersByTimeAsync(5000);
  companion.closeIfIdle(1000);
  upstream.inFlight = 0;
  companion.closeIfIdle(1000);
  expect(upstream.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  companion.closeIfIdle(1000);
  expect(upstream.closed).toBe(true);
  expect(companion.current()).toBeUndefined();
});

test('it closes after two missed checks in a row', async () => {
  const { companion, made, world } = fixture();
  await companion.check();
  await companion.open();
  const missed = () => Promise.reject(unreachable);
  for (const check of [missed, () => Promise.resolve(), missed]) {
    world.check = check;
    await companion.check();
  }
  expect(made[0]?.closed).toBe(false);
  await companion.check();
  expect(made[0]?.closed).toBe(true);
  expect(await companion.open()).toBeDefined();
});
