import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { Upstream } from '../../wire/upstream.ts';
import { Lane, type LaneState } from './lane.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface FakeUpstream {
  inFlight: number;
  ended: AppError | undefined;
  closed: boolean;
  close(): Promise<void>;
}

const crash = new AppError('unavailable', 'The process was ended by SIGKILL.');
const silence = new AppError('timeout', 'silence');
const never = new AbortController().signal;
const asUpstream = (fake: FakeUpstream) => fake as unknown as Upstream;

/** A lane over fake connections that succeed or fail, and a record of its states. */
function createLane(options: { healthMs?: number } = {}) {
  const made: FakeUpstream[] = [];
  const companions: FakeUpstream[] = [];
  const states: LaneState[] = [];
  const seen = { attempts: [] as number[], checks: 0 };
  const world = {
    endsAtOnce: false,
    connects: () => Promise.resolve(),
    check: () => Promise.resolve(),
  };
  const lane = new Lane({
    healthMs: options.healthMs ?? 30_000,
    async connect(signal) {
      seen.attempts.push(Date.now());
      await Promise.race([world.connects(), aborted(signal)]);
      return opened(made, world.endsAtOnce ? crash : undefined);
    },
    connectLegacy: async () => opened(companions, undefined),
    check() {
      seen.checks++;
      return world.check();
    },
    onState: (state) => states.push(state),
  });
  const newest = () => made.at(-1) as FakeUpstream;
  return { lane, made, companions, states, seen, world, newest, lose: () => lane.lost(asUpstream(newest()), crash) };
}

function opened(into: FakeUpstream[], ended: AppError | undefined): Upstream {
  const upstream: FakeUpstream = {
    inFlight: 0,
    ended,
    closed: false,
    async close() {
      upstream.closed = true;
    },
  };
  into.push(upstream);
  return asUpstream(upstream);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(signal.reason as AppError);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give);
  });
}

const refuse = () => Promise.reject(new AppError('unavailable', 'Nobody answers.'));
const forever = () => new Promise<void>(() => {});

function retryIn({ state }: Lane): number {
  if (state.state !== 'failed') throw new Error(`The lane is ${state.state}.`);
  return state.retryAt - Date.now();
}

/** Makes it fail to start this many times in a row; returns how long it waited before each attempt. */
async function waits(fixture: ReturnType<typeof createLane>, count: number): Promise<number[]> {
  const found: number[] = [];
  fixture.world.connects = refuse;
  await fixture.lane.start();
  while (found.length < count) {
    found.push(retryIn(fixture.lane));
    await vi.advanceTimersByTimeAsync(retryIn(fixture.lane));
  }
  return found;
}

test('starts, and is stopped', async () => {
  const { lane, states, newest } = createLane();
  await lane.start();
  expect(lane.state.state).toBe('running');
  await lane.stop();
  expect(states.map(({ state }) => state)).toEqual(['starting', 'running', 'stopped']);
  expect(newest().closed).toBe(true);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(states).toHaveLength(3);
});

test('the first restart is immediate', async () => {
  const { lane, seen, lose } = createLane();
  await lane.start();
  await vi.advanceTimersByTimeAsync(60_000);
  lose();
  expect(lane.state).toMatchObject({ state: 'failed', error: crash });
  expect(retryIn(lane)).toBe(0);
  await vi.advanceTimersByTimeAsync(0);
  expect(lane.state.state).toBe('running');
  expect(seen.attempts).toHaveLength(2);
  expect(lane.restarts).toBe(1);
});

test('later restarts wait twice as long each time, up to a minute, and never give up', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const found = await waits(createLane(), 40);
  expect(found.slice(0, 10)).toEqual([0, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  expect(found.slice(10)).toEqual(found.slice(10).map(() => 60_000));
});

test('jitter shortens each wait by up to a half', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  expect(await waits(createLane(), 5)).toEqual([0, 250, 500, 1000, 2000]);
  vi.mocked(Math.random).mockRestore();
  const twenty = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const fixture = createLane();
      fixture.world.connects = refuse;
      await fixture.lane.start();
      await fixture.lane.start();
      const wait = retryIn(fixture.lane);
      await fixture.lane.stop();
      return wait;
    }),
  );
  expect(new Set(twenty).size).toBeGreaterThan(5);
});

test('30 healthy seconds reset the back-off; fewer do not', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { lane, lose } = createLane();
  await lane.start();
  const crashAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    lose();
    const wait = retryIn(lane);
    await vi.advanceTimersByTimeAsync(wait);
    return wait;
  };
  expect(await crashAfter(1000)).toBe(0);
  expect(await crashAfter(29_000)).toBe(500);
  expect(await crashAfter(29_000)).toBe(1000);
  expect(await crashAfter(30_001)).toBe(0);
  expect(await crashAfter(1000)).toBe(500);
});

test('a connection that ended before anybody could use it counts as lost', async () => {
  const { lane, made, states, world } = createLane();
  world.endsAtOnce = true;
  await lane.start();
  expect(lane.state).toMatchObject({ state: 'failed', error: crash });
  world.endsAtOnce = false;
  await vi.advanceTimersByTimeAsync(0);
  expect(states.map(({ state }) => state)).toEqual(['starting', 'running', 'failed', 'starting', 'running']);
  expect(made).toHaveLength(2);
});

test('the loss of an earlier connection changes nothing', async () => {
  const { lane, made, lose } = createLane();
  await lane.start();
  lose();
  await vi.advanceTimersByTimeAsync(0);
  lane.lost(asUpstream(made[0] as FakeUpstream), crash);
  expect(lane.state.state).toBe('running');
  expect(lane.restarts).toBe(1);
});

test('a call waits for a start in progress', async () => {
  const { lane, world, newest } = createLane();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.connects = () => promise;
  void lane.start();
  const ready = lane.ready(never);
  resolve();
  expect(await ready).toBe(asUpstream(newest()));
});

test('a cancelled call stops waiting', async () => {
  const { lane, world } = createLane();
  world.connects = forever;
  void lane.start();
  const abort = new AbortController();
  const ready = lane.ready(abort.signal);
  abort.abort(new AppError('cancelled', 'No longer wanted.'));
  await expect(ready).rejects.toMatchObject({ code: 'cancelled' });
});

test('a call restarts a crashed server at once, whatever the back-off', async () => {
  const { lane, lose, seen } = createLane();
  await lane.start();
  for (let round = 0; round < 20; round++) {
    lose();
    await expect(lane.ready(never)).resolves.toBeDefined();
  }
  expect(seen.attempts).toHaveLength(21);
  expect(lane.restarts).toBe(20);
});

test('a call retries a failed start once, then calls fail fast for a while', async () => {
  const { lane, world, seen } = createLane();
  world.connects = refuse;
  await lane.start();
  await vi.advanceTimersByTimeAsync(0);
  const before = seen.attempts.length;
  const refused = await lane.ready(never).catch((error: unknown) => error as AppError);
  expect(refused).toMatchObject({ code: 'unavailable', retryable: true });
  expect((refused as AppError).message).toMatch(/^The server is not running: Nobody answers\. Try again in \d s\.$/);
  const retryAfter = (refused as AppError).data?.retryAfter as number;
  expect([1, 2]).toContain(retryAfter);
  expect(seen.attempts).toHaveLength(before);
  // A caller that comes back after retryAfter is not refused again: the server runs by then, or the call starts it.
  world.connects = () => Promise.resolve();
  await vi.advanceTimersByTimeAsync(retryAfter * 1000);
  await expect(lane.ready(never)).resolves.toBeDefined();
});

test('a reason without a full stop gets one before the time to try again', async () => {
  const { lane, world } = createLane();
  world.connects = () => Promise.reject(new AppError('unavailable', 'The process exited with code 1'));
  await lane.start();
  await vi.advanceTimersByTimeAsync(0);
  await expect(lane.ready(never)).rejects.toThrow(/exited with code 1\. Try again in/);
});

test('a stopped lane says so', async () => {
  const { lane } = createLane();
  await expect(lane.ready(never)).rejects.toMatchObject({ code: 'unavailable' });
});

test('stopping aborts a connection that is opening, and fails the calls that wait for it', async () => {
  const { lane, world, states } = createLane();
  world.connects = forever;
  void lane.start();
  const waiting = lane.ready(never).catch((error: unknown) => error);
  await lane.stop();
  expect(await waiting).toMatchObject({ code: 'unavailable' });
  expect(states.map(({ state }) => state)).toEqual(['starting', 'stopped']);
});

test('a connection that opens after the stop is closed', async () => {
  const { promise, resolve } = Promise.withResolvers<Upstream>();
  const lane = new Lane({ healthMs: 1000, connect: () => promise, check: async () => {}, onState() {} });
  void lane.start();
  const stopped = lane.stop();
  const late: FakeUpstream = {
    inFlight: 0,
    ended: undefined,
    closed: false,
    async close() {
      late.closed = true;
    },
  };
  resolve(asUpstream(late));
  await stopped;
  expect(late.closed).toBe(true);
  expect(lane.state.state).toBe('stopped');
});

test('restart closes the old connection and counts', async () => {
  const { lane, made } = createLane();
  await lane.start();
  await lane.restart();
  expect(made.map(({ closed }) => closed)).toEqual([true, false]);
  expect(lane.state.state).toBe('running');
  expect(lane.restarts).toBe(1);
});

test('five unanswered calls in a row open the breaker; an answered one resets the count', async () => {
  const { lane } = createLane();
  await lane.start();
  for (let strike = 0; strike < 4; strike++) lane.strike(silence);
  lane.succeeded();
  for (let strike = 0; strike < 4; strike++) lane.strike(silence);
  expect(lane.state).not.toHaveProperty('degraded');
  await expect(lane.ready(never)).resolves.toBeDefined();
  lane.strike(silence);
  expect(lane.state).toMatchObject({ state: 'running', degraded: silence });
});

test('an open breaker fails fast and says when to try again', async () => {
  const { lane } = createLane();
  await lane.start();
  for (let strike = 0; strike < 5; strike++) lane.strike(silence);
  await expect(lane.ready(never)).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
    data: { retryAfter: 10 },
  });
  await vi.advanceTimersByTimeAsync(7000);
  await expect(lane.ready(never)).rejects.toMatchObject({ data: { retryAfter: 3 } });
});

test('the half-open probe is a new connection', async () => {
  const { lane, made, states } = createLane();
  await lane.start();
  for (let strike = 0; strike < 5; strike++) lane.strike(silence);
  await vi.advanceTimersByTimeAsync(9999);
  expect(made).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(made.map(({ closed }) => closed)).toEqual([true, false]);
  expect(lane.state).not.toHaveProperty('degraded');
  expect(states.map(({ state }) => state)).toEqual(['starting', 'running', 'running', 'starting', 'running']);
  await expect(lane.ready(never)).resolves.toBeDefined();
});

test('after a failed probe it is failed, and retried', async () => {
  const { lane, world } = createLane();
  await lane.start();
  for (let strike = 0; strike < 5; strike++) lane.strike(silence);
  world.connects = refuse;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lane.state.state).toBe('failed');
  world.connects = () => Promise.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lane.state.state).toBe('running');
});

test('a late answer closes the breaker, and the connection stays', async () => {
  const { lane, made } = createLane();
  await lane.start();
  for (let strike = 0; strike < 5; strike++) lane.strike(silence);
  lane.succeeded();
  expect(lane.state).not.toHaveProperty('degraded');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(made).toHaveLength(1);
});

test('two failed health checks degrade it and bring a new connection; one does not', async () => {
  const { lane, world, made, states, seen } = createLane({ healthMs: 1000 });
  await lane.start();
  world.check = refuse;
  await vi.advanceTimersByTimeAsync(1000);
  world.check = () => Promise.resolve();
  await vi.advanceTimersByTimeAsync(1000);
  world.check = refuse;
  await vi.advanceTimersByTimeAsync(1000);
  expect(made).toHaveLength(1);
  expect(seen.checks).toBe(3);
  await vi.advanceTimersByTimeAsync(1001);
  expect(made.map(({ closed }) => closed)).toEqual([true, false]);
  const degraded = states.find((state) => state.state === 'running' && state.degraded !== undefined);
  expect(degraded).toMatchObject({ degraded: { message: 'health checks fail: Nobody answers.' } });
  expect(lane.state).not.toHaveProperty('degraded');
});

test('a stopped lane does no health checks', async () => {
  const { lane, seen } = createLane({ healthMs: 1000 });
  await lane.start();
  await lane.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen.checks).toBe(0);
});

test('a lane that is stopped during a restart stays stopped', async () => {
  const { lane, newest, seen } = createLane();
  await lane.start();
  const closing = Promise.withResolvers<void>();
  newest().close = () => closing.promise;
  const restarted = lane.restart();
  const stopped = lane.stop();
  closing.resolve();
  await Promise.all([restarted, stopped]);
  expect(lane.state.state).toBe('stopped');
  expect(seen.attempts).toHaveLength(1);
});

test('two restarts at once end in one connection', async () => {
  const { lane, seen } = createLane();
  await lane.start();
  await Promise.all([lane.restart(), lane.restart()]);
  expect(lane.state.state).toBe('running');
  expect(seen.attempts).toHaveLength(2);
});

test('a second connection counts for the load, and ends with the breaker, a restart and a stop', async () => {
  const { lane, made, companions, newest } = createLane();
  expect(lane.legacy(never)).toBeUndefined();
  await lane.start();
  expect(companions).toHaveLength(0);
  const ends = [
    async () => {
      for (let call = 0; call < 5; call++) lane.strike(silence);
      await vi.advanceTimersByTimeAsync(10_000);
    },
    () => lane.restart(),
    () => lane.stop(),
  ];
  for (const end of ends) {
    const second = await lane.legacy(never);
    expect(lane.connections).toEqual([newest(), second]);
    Object.assign(newest(), { inFlight: 2 });
    Object.assign(second as object, { inFlight: 3 });
    expect(lane.busy).toBe(5);
    await end();
    expect(companions.at(-1)?.closed).toBe(true);
  }
  expect(made).toHaveLength(3);
  expect(companions).toHaveLength(3);
  expect(lane.connections).toEqual([]);
});

test('a second connection that is lost leaves the lane running', async () => {
  const { lane, states } = createLane();
  await lane.start();
  const second = (await lane.legacy(never)) as Upstream;
  lane.lost(second, crash);
  expect(states.at(-1)?.state).toBe('running');
  expect(await lane.legacy(never)).not.toBe(second);
  expect(lane.restarts).toBe(0);
});

test('a connection over which the server cannot be reached is left at once, and closes after its calls', async () => {
  const { lane, made, companions, seen } = createLane();
  lane.url = 'https://a.example/mcp';
  await lane.start();
  await lane.legacy(never);
  const [first] = made as [FakeUpstream];
  const [beside] = companions as [FakeUpstream];
  first.inFlight = 2;
  lane.unreachable(asUpstream(first), crash);
  expect(lane.state).toMatchObject({ state: 'failed', error: crash });
  expect(lane.trouble).toBe(crash);
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.attempts).toHaveLength(2);
  expect(lane).toMatchObject({ state: { state: 'running' }, trouble: undefined, restarts: 1 });
  // The calls that are still in flight fail later, and must not harm the new connection.
  lane.unreachable(asUpstream(first), crash);
  expect(lane.state.state).toBe('running');
  expect([first.closed, beside.closed]).toEqual([false, true]);
  first.inFlight = 0;
  await vi.advanceTimersByTimeAsync(1000);
  expect(first.closed).toBe(true);
});

test('a lane that stops also closes the connections that it left', async () => {
  const { lane, made } = createLane();
  lane.url = 'https://a.example/mcp';
  await lane.start();
  const [first] = made as [FakeUpstream];
  first.inFlight = 1;
  lane.unreachable(asUpstream(first), crash);
  await vi.advanceTimersByTimeAsync(0);
  await lane.stop();
  expect(made.map(({ closed }) => closed)).toEqual([true, true]);
});

test('a lane that keeps trying says why it does not work', async () => {
  const { lane, world } = createLane();
  world.connects = refuse;
  await lane.start();
  const { trouble } = lane;
  expect(trouble?.message).toBe('Nobody answers.');
  world.connects = forever;
  void lane.start();
  expect(lane).toMatchObject({ state: { state: 'starting' }, trouble });
  await lane.stop();
  expect(lane.trouble).toBeUndefined();
});
