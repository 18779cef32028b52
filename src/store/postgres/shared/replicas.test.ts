import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../connection.ts';
import type { ReplicaRow } from './look.ts';
import { createReplicas, DEAD_MS } from './replicas.ts';

const row = (url: string | null, seen_ms = 0, more: Partial<ReplicaRow> = {}): ReplicaRow => ({
  id: 'other',
  url,
  host: 'h',
  pid: 1,
  version: '1.0.0',
  started_ms: 0,
  seen_ms,
  beat_ms: 1_000_000 - seen_ms,
  skew_ms: 0,
  draining: false,
  report: '{"state":"ok","problems":[],"sessions":0,"tools":0}',
  ...more,
});

test('a replica that was seen before it said where it is is looked up again', async () => {
  const asked: unknown[] = [];
  const database = {
    async rows(_: string, values: unknown[]) {
      asked.push(...values);
      return [row('http://10.0.0.2:3500')];
    },
  } as unknown as Database;
  const replicas = createReplicas(database, {
    id: 'self',
    version: '1.0.0',
    leads: () => [],
    cutOffSince: () => undefined,
  });
  replicas.seen({ replicas: [row(null)], leases: {}, at: performance.now(), skewMs: 0 } as never);
  expect((await replicas.find('other'))?.url).toBe('http://10.0.0.2:3500');
  expect((await replicas.find('other'))?.url).toBe('http://10.0.0.2:3500');
  expect(asked).toEqual(['other']);
});

describe('a store that was away', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  const address = 'http://10.0.0.2:3500';
  const at = (ms: number) => void vi.advanceTimersByTime(ms - performance.now());

  function known() {
    let since: number | undefined;
    const database = { rows: async () => [] } as unknown as Database;
    const cutOffSince = () => since;
    const replicas = createReplicas(database, { id: 'self', version: '1.0.0', leads: () => [], cutOffSince });
    const seen = (seenMs: number | undefined) => {
      const rows = seenMs === undefined ? [] : [row(address, seenMs)];
      replicas.seen({ replicas: rows, leases: {}, at: performance.now(), skewMs: 0 } as never);
    };
    return { replicas, seen, cutOff: (from: number | undefined) => void (since = from) };
  }
  const others = ({ replicas }: ReturnType<typeof known>) => replicas.all().slice(1);

  test('leaves the others where they were, for as long as it is away', async () => {
    const one = known();
    one.seen(1000);
    one.cutOff(performance.now());
    at(3_600_000);
    expect((await one.replicas.find('other'))?.url).toBe(address);
    expect(others(one)).toMatchObject([{ id: 'other', seenMs: 1000 }]);
    await expect(one.replicas.find('nobody')).rejects.toThrow('The store cannot be reached.');
  });

  test('gives them time to renew once it is back, and no more than that', () => {
    const one = known();
    one.seen(1000);
    one.cutOff(performance.now());
    at(40_000);
    one.seen(41_000);
    one.cutOff(undefined);
    at(40_000 + DEAD_MS - 1);
    one.seen(41_000 + DEAD_MS - 1);
    expect(others(one)).toHaveLength(1);
    at(40_000 + DEAD_MS + 1);
    expect(others(one)).toEqual([]);
    one.seen(41_000 + DEAD_MS + 1);
    expect(others(one)).toEqual([]);
  });

  test('brings nobody back who was dead before, or who left', () => {
    const dead = known();
    dead.seen(1000);
    at(DEAD_MS);
    dead.cutOff(performance.now());
    dead.seen(DEAD_MS + 1000);
    expect(others(dead)).toEqual([]);
    const gone = known();
    gone.seen(0);
    gone.cutOff(performance.now());
    gone.seen(undefined);
    expect(others(gone)).toEqual([]);
  });
});

describe('a replica that was killed and is back under another name', () => {
  const here = 'http://10.0.0.1:3500';
  const there = 'http://10.0.0.2:3500';
  const report = () => ({ state: 'ok', problems: [], sessions: 0, tools: 0 }) as const;

  function known(rows: readonly ReplicaRow[]) {
    const database = {
      rows: async (_: string, [wanted]: string[]) => rows.filter(({ id }) => id === wanted),
    } as unknown as Database;
    const self = { id: 'self', version: '1.0.0', leads: () => [], cutOffSince: () => undefined };
    const replicas = createReplicas(database, self);
    replicas.startedAt(1_000_000);
    replicas.announce(here, report);
    replicas.seen({ replicas: rows, leases: {}, at: performance.now(), skewMs: 0 } as never);
    return replicas;
  }
  const ids = (rows: readonly ReplicaRow[]) =>
    known(rows)
      .all()
      .map(({ id }) => id);

  test('is dead under the first one', async () => {
    const before = row(here, 2000);
    expect(ids([before])).toEqual(['self']);
    expect(await known([before]).find('other')).toBeUndefined();
    const theirs = row(there, 5000);
    const now = row(there, 0, { id: 'now', started_ms: 996_000 });
    expect(ids([theirs, now])).toEqual(['self', 'now']);
    expect(await known([theirs, now]).find('other')).toBeUndefined();
  });

  test('is none that only claims the same address, and lives', async () => {
    expect(ids([row(here, 0, { beat_ms: 1_000_001 })])).toEqual(['self', 'other']);
    const both = [row(there, 0), row(there, 0, { id: 'twin', started_ms: 900_000 })];
    expect(ids(both)).toEqual(['self', 'other', 'twin']);
  });
});
