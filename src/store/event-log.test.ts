import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { callFacts } from '../kernel/call-facts.ts';
import type { RecordedEvent } from '../kernel/events.ts';
import { createEventLog } from './event-log.ts';
import { openSqlite } from './sqlite/open.ts';

/** A store that can be made to fail. */
function flakyStore() {
  const stored: RecordedEvent[] = [];
  const batches: number[] = [];
  return {
    stored,
    batches,
    down: false,
    async append(events: readonly RecordedEvent[]) {
      if (this.down) throw new AppError('unavailable', 'disk full');
      if (events.some(({ data }) => data.backend === 'poison')) throw new AppError('invalid_input', 'cannot be stored');
      batches.push(events.length);
      stored.push(...events);
    },
  };
}

const fact = (backend: string) => ({ type: 'gateway.backend_removed', backend }) as const;
/** Resolves when everything queued in this turn of the event loop, and what follows from it, is done. */
const turn = async () => {
  await setImmediate();
  await setImmediate();
};
const backends = (events: readonly RecordedEvent[]) => events.map(({ data }) => data.backend);

const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
beforeEach(() => {
  warnings.mockClear();
});

describe('recording', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  test('an event gets the time of recording, and its own or a new trace', async () => {
    const store = flakyStore();
    await using log = createEventLog(store, { facts: callFacts });
    vi.setSystemTime(1_000);
    log.record(
      { type: 'tool.call_failed', tool: 't', source: 's', principal: 'p', ms: 1, reason: 'r' },
      { traceId: 'a'.repeat(32) },
    );
    vi.setSystemTime(9_000);
    log.record(fact('x'));
    log.record(fact('y'), {});
    await log.flush();
    expect(store.stored[0]).toEqual({
      timestamp: '1970-01-01T00:00:01.000Z',
      trace_id: 'a'.repeat(32),
      event_type: 'tool.call_failed',
      status: 'failure',
      data: { tool: 't', source: 's', principal: 'p', ms: 1, reason: 'r' },
    });
    const [, x, y] = store.stored;
    expect(x?.timestamp).toBe('1970-01-01T00:00:09.000Z');
    expect(x?.trace_id).toMatch(/^[\da-f]{32}$/);
    expect(y?.trace_id).toMatch(/^[\da-f]{32}$/);
    expect(x?.trace_id).not.toBe(y?.trace_id);
  });

  test('what is too long is cut, after secrets are gone', async () => {
    const store = flakyStore();
    await using log = createEventLog(store, { redact: (text) => text.replaceAll('secret', '[redacted]') });
    const reason = `${'x'.repeat(3997)}secret${'x'.repeat(9000)}`;
    log.record({ type: 'a.failed', reason, owners: Array.from({ length: 300 }, () => 'y'.repeat(9000)), ms: 5 });
    await log.flush();
    const [event] = store.stored;
    expect(event?.data).toMatchObject({ reason: `${'x'.repeat(3997)}[re…`, ms: 5 });
    const owners = event?.data.owners as string[];
    expect([owners.length, owners[0]?.length]).toEqual([100, 4001]);
  });

  test('writes nothing before the timer fires, then everything in one batch', async () => {
    const store = flakyStore();
    await using log = createEventLog(store, { flushMs: 100 });
    for (let i = 0; i < 10; i++) log.record(fact(String(i)));
    await vi.advanceTimersByTimeAsync(99);
    expect(store.batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(store.batches).toEqual([10]);
    log.record(fact('later'));
    await vi.advanceTimersByTimeAsync(100);
    expect(store.batches).toEqual([10, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('many are written in several batches, in order', async () => {
    const store = flakyStore();
    await using log = createEventLog(store);
    for (let i = 0; i < 1200; i++) log.record(fact(String(i)));
    await log.flush();
    expect(store.batches).toEqual([500, 500, 200]);
    expect(backends(store.stored)).toEqual(Array.from({ length: 1200 }, (_, i) => String(i)));
  });

  test('a full batch does not wait for the timer, later events do', async () => {
    const store = flakyStore();
    await using log = createEventLog(store, { flushMs: 100 });
    for (let i = 0; i < 499; i++) log.record(fact(String(i)));
    await turn();
    expect(store.batches).toEqual([]);
    log.record(fact('499'));
    await turn();
    expect(store.batches).toEqual([500]);
    log.record(fact('500'));
    await turn();
    expect(store.batches).toEqual([500]);
    await vi.advanceTimersByTimeAsync(100);
    expect(store.batches).toEqual([500, 1]);
  });

  test('a flush includes events recorded during another flush', async () => {
    const store = flakyStore();
    await using log = createEventLog(store);
    log.record(fact('a'));
    const first = log.flush();
    log.record(fact('b'));
    await Promise.all([first, log.flush()]);
    expect(backends(store.stored)).toEqual(['a', 'b']);
  });
});

describe('a store that fails', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('is not retried for every full batch', async () => {
    const store = flakyStore();
    await using log = createEventLog(store, { flushMs: 100 });
    const append = vi.spyOn(store, 'append');
    store.down = true;
    log.record(fact('first'));
    await vi.advanceTimersByTimeAsync(100);
    for (let i = 0; i < 1_000; i++) log.record(fact(String(i)));
    await turn();
    expect(append).toHaveBeenCalledTimes(1);
    store.down = false;
    await vi.advanceTimersByTimeAsync(200);
    await log.flush();
    expect(store.stored).toHaveLength(1_001);
  });

  test('is retried with back-off, and nothing is lost', async () => {
    const store = flakyStore();
    await using log = createEventLog(store, { flushMs: 100 });
    const append = vi.spyOn(store, 'append');
    store.down = true;
    log.record(fact('a'));
    await vi.advanceTimersByTimeAsync(100);
    expect(append).toHaveBeenCalledTimes(1);
    log.record(fact('b'));
    await vi.advanceTimersByTimeAsync(199);
    expect(append).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(append).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(append.mock.calls.length).toBeGreaterThan(12);
    expect(append.mock.calls.length).toBeLessThan(20);
    store.down = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(backends(store.stored)).toEqual(['a', 'b']);
    expect(log.dropped()).toBe(0);
    expect(warnings).toHaveBeenCalledTimes(1);
    log.record(fact('c'));
    await vi.advanceTimersByTimeAsync(100);
    expect(backends(store.stored)).toEqual(['a', 'b', 'c']);
  });

  test('an explicit flush rejects', async () => {
    const store = flakyStore();
    const log = createEventLog(store);
    store.down = true;
    log.record(fact('a'));
    await expect(log.flush()).rejects.toThrow('disk full');
    store.down = false;
    await log.flush();
    expect(backends(store.stored)).toEqual(['a']);
  });

  test('for too long: keeps the first events and counts the rest', async () => {
    const store = flakyStore();
    const log = createEventLog(store, { maxBuffer: 5 });
    store.down = true;
    for (let i = 0; i < 3; i++) log.record(fact(String(i)));
    await expect(log.flush()).rejects.toThrow('disk full');
    for (let i = 3; i < 9; i++) log.record(fact(String(i)));
    expect(log.dropped()).toBe(4);
    store.down = false;
    await log[Symbol.asyncDispose]();
    expect(backends(store.stored)).toEqual(['0', '1', '2', '3', '4']);
    expect(log.dropped()).toBe(4);
  });

  test('at the end: counts and reports the lost events', async () => {
    const store = flakyStore();
    const log = createEventLog(store);
    store.down = true;
    log.record(fact('a'));
    await log[Symbol.asyncDispose]();
    expect(log.dropped()).toBe(1);
    expect(warnings.mock.calls.map(String).join()).toContain('Lost 1 events');
  });

  test('an event it refuses does not block the others', async () => {
    const store = flakyStore();
    await using log = createEventLog(store);
    for (const backend of ['a', 'b', 'poison', 'c', 'poison', 'd']) log.record(fact(backend));
    await log.flush();
    expect(backends(store.stored)).toEqual(['a', 'b', 'c', 'd']);
    expect(log.dropped()).toBe(2);
  });
});

describe('listeners', () => {
  test('get each event once, even while the store fails', async () => {
    const store = flakyStore();
    await using log = createEventLog(store);
    const heard: RecordedEvent[] = [];
    const stop = log.subscribe((event) => void heard.push(event));
    store.down = true;
    log.record(fact('a'));
    await expect(log.flush()).rejects.toThrow('disk full');
    store.down = false;
    await log.flush();
    expect(backends(heard)).toEqual(['a']);
    expect(heard).toEqual(store.stored);
    stop();
    log.record(fact('b'));
    await log.flush();
    expect(backends(heard)).toEqual(['a']);
  });

  test('one that throws affects neither the others nor the log', async () => {
    const store = flakyStore();
    await using log = createEventLog(store);
    const heard: RecordedEvent[] = [];
    log.subscribe(() => {
      throw new Error('broken pipe');
    });
    log.subscribe((event) => void heard.push(event));
    log.record(fact('a'));
    await log.flush();
    expect(backends(heard)).toEqual(['a']);
    expect(backends(store.stored)).toEqual(['a']);
    expect(warnings).toHaveBeenCalledTimes(1);
  });

  test('one that records events gets them later, without an endless loop', async () => {
    const store = flakyStore();
    await using log = createEventLog(store);
    log.subscribe((event) => {
      if (event.data.backend === 'a') log.record(fact('b'));
    });
    log.record(fact('a'));
    await log.flush();
    expect(backends(store.stored)).toEqual(['a']);
    await log.flush();
    expect(backends(store.stored)).toEqual(['a', 'b']);
  });
});

test('everything recorded is in the store when the log is closed', async () => {
  await using store = await openSqlite(':memory:');
  const log = createEventLog(store.events);
  for (let i = 0; i < 3000; i++) log.record(fact(String(i)));
  await log[Symbol.asyncDispose]();
  log.record(fact('too late'));
  expect(await store.events.count()).toBe(3000);
  expect(log.dropped()).toBe(1);
});

describe('relied on', () => {
  test('does not wait unless something relies on it', async () => {
    await using log = createEventLog(flakyStore());
    expect(log.durable?.()).toBeUndefined();
    log.relyOn(true);
    expect(log.durable?.()).toBeInstanceOf(Promise);
    log.relyOn(false);
    expect(log.durable?.()).toBeUndefined();
  });

  test('resolves when the events are stored, and events of one turn share a batch', async () => {
    const store = flakyStore();
    await using log = createEventLog(store, { flushMs: 60_000 });
    log.relyOn(true);
    const waits = ['a', 'b', 'c'].map((name) => {
      log.record(fact(name));
      return log.durable?.();
    });
    expect(store.stored).toEqual([]);
    await waits[0];
    expect(backends(store.stored)).toEqual(['a', 'b', 'c']);
    expect(store.batches).toEqual([3]);
    log.record(fact('d'));
    await log.durable?.();
    expect(backends(store.stored)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a failing store delays nobody, and gets the events later', async () => {
    const store = flakyStore();
    await using log = createEventLog(store, { flushMs: 10 });
    log.relyOn(true);
    store.down = true;
    log.record(fact('a'));
    expect(await log.durable?.()).toBe(false);
    expect(store.stored).toEqual([]);
    store.down = false;
    await expect.poll(() => backends(store.stored)).toEqual(['a']);
    expect(await log.durable?.()).toBe(true);
  });

  test('a silent store delays one call, and for two seconds at most', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = flakyStore();
    const answers = Promise.withResolvers<void>();
    const append = store.append.bind(store);
    await using log = createEventLog({ append: (events) => answers.promise.then(() => append(events)) });
    log.relyOn(true);
    log.record(fact('a'));
    const first = log.durable?.();
    await turn();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await first).toBe(false);
    log.record(fact('b'));
    expect(await log.durable?.()).toBe(false);
    answers.resolve();
    await log.flush();
    expect(backends(store.stored)).toEqual(['a', 'b']);
    expect(await log.durable?.()).toBe(true);
  });

  test('while the store fails, only the timer retries it, not the calls', async () => {
    const store = flakyStore();
    await using log = createEventLog(store, { flushMs: 60_000 });
    log.relyOn(true);
    store.down = true;
    log.record(fact('a'));
    await log.durable?.();
    const append = vi.spyOn(store, 'append');
    log.record(fact('b'));
    expect(await log.durable?.()).toBe(false);
    expect(append).not.toHaveBeenCalled();
    store.down = false;
    await log.flush();
    expect(backends(store.stored)).toEqual(['a', 'b']);
    expect(await log.durable?.()).toBe(true);
  });
});

test('listeners are told about new events in the store, also about those stored in another way', async () => {
  const store = flakyStore();
  await using log = createEventLog(store);
  let times = 0;
  const heard: unknown[] = [];
  const stop = log.onStored(() => times++);
  log.subscribe(({ data }) => heard.push(data.backend));
  log.record(fact('a'));
  await log.flush();
  expect(times).toBe(1);
  const foreign = { ...(store.stored[0] as RecordedEvent), data: { backend: 'b' } };
  log.passOn([foreign]);
  expect([times, heard]).toEqual([2, ['a', 'b']]);
  stop();
  log.passOn([foreign]);
  expect(times).toBe(2);
  expect(backends(store.stored)).toEqual(['a']);
});
