import { describe, expect, it } from 'vitest';
import { judgeCache } from './cache.ts';
import { judgeCheckpoints } from './checkpoints.ts';
import { judgeConnections } from './connections.ts';
import { judgeInvalid } from './invalid-objects.ts';
import { judged, worst } from './judgement.ts';
import { judgeLocks } from './locks.ts';
import { queryTexts } from './query-text.ts';
import { judgeReplication } from './replication.ts';
import { judgeSequences, type SequenceUse } from './sequences.ts';
import type { Session } from './sessions.ts';
import { judgeSuperuser } from './superuser.ts';
import { judgeTransactions } from './transactions.ts';
import { judgeUnused } from './unused-indexes.ts';
import { judgeVacuum, type VacuumState } from './vacuum.ts';

const texts = queryTexts([], new Set());

const session = (pid: number, more: Partial<Session> = {}): Session => ({
  pid,
  user: 'app',
  application: 'web',
  client: null,
  state: 'active',
  wait: null,
  transactionSeconds: null,
  stateSeconds: 1,
  querySeconds: 1,
  query: 'SELECT 1',
  blockedBy: [],
  ...more,
});

it('sorts findings, the gravest first', () => {
  const finding = (severity: 'warning' | 'critical') => ({ severity, what: severity, fix: '' });
  expect(judged([finding('warning'), finding('critical')], { bad: 'bad', ok: 'ok' })).toMatchObject({
    severity: 'critical',
    summary: 'bad',
    findings: [{ what: 'critical' }, { what: 'warning' }],
  });
  expect([worst([]), worst(['ok', 'unknown']), worst(['unknown', 'warning'])]).toEqual(['ok', 'unknown', 'warning']);
});

describe('locks', () => {
  const blocked = session(2, { blockedBy: [1], query: 'UPDATE orders SET state = 1' });
  const wait = { pid: 2, mode: 'ShareLock', on: 'public.orders', seconds: 90 };

  it('says who blocks whom, and how to end it', () => {
    const holder = session(1, { state: 'idle in transaction', stateSeconds: 200 });
    const { severity, findings } = judgeLocks([holder, blocked], [wait], texts);
    expect(severity).toBe('critical');
    expect(findings[0]?.what).toContain('pid 2 (app, web) waits for public.orders since 1 min 30 s');
    expect(findings[0]?.what).toContain('blocked by pid 1 (app, web), idle in transaction for 3 min 20 s');
    expect(findings[0]?.fix).toContain('pg_terminate_backend(1)');
    expect(judgeLocks([session(1), blocked], [wait], texts).findings[0]?.fix).toContain('pg_cancel_backend(1)');
  });

  it('lets short waits pass, and knows blockers that it cannot see', () => {
    expect(judgeLocks([session(1), blocked], [{ ...wait, seconds: 0.5 }], texts)).toMatchObject({
      severity: 'ok',
      summary: '1 session blocked, all for less than 1 s.',
    });
    expect(judgeLocks([blocked], [wait], texts).findings[0]?.what).toMatch(/blocked by pid 1$/);
  });
});

describe('vacuum', () => {
  const settings = { autovacuum: true, freezeMaxAge: 200_000_000, age: 1000, multixactAge: 0 };
  const table = (more: Partial<VacuumState> = {}): VacuumState => ({
    schema: 'public',
    name: 'orders',
    live: 100_000,
    dead: 0,
    vacuumed: 60,
    isAnalyzed: true,
    age: 10,
    autovacuum: true,
    ...more,
  });

  it.each([
    ['few dead rows', table({ dead: 9000 }), 'ok'],
    ['many of few', table({ dead: 50_000 }), 'warning'],
    ['most of millions', table({ dead: 3_000_000 }), 'critical'],
    ['autovacuum off', table({ autovacuum: false }), 'warning'],
    ['never analyzed', table({ isAnalyzed: false }), 'warning'],
    ['small and never analyzed', table({ isAnalyzed: false, live: 10 }), 'ok'],
  ])('judges %s', (_, one, severity) => {
    expect(judgeVacuum([one], settings).severity).toBe(severity);
  });

  it.each([
    [190_000_000, 'ok'],
    [400_000_000, 'warning'],
    [1_700_000_000, 'critical'],
  ])('judges an age of %d transactions', (age, severity) => {
    expect(judgeVacuum([], { ...settings, age }).severity).toBe(severity);
    expect(judgeVacuum([], { ...settings, multixactAge: age }).severity).toBe(severity);
  });

  it('does not accept a server without autovacuum', () => {
    expect(judgeVacuum([], { ...settings, autovacuum: false }).findings[0]?.fix).toContain('autovacuum = on');
  });
});

describe('connections', () => {
  const use = { used: 10, active: 2, idle: 8, most: 100, reserved: 3 };

  it.each([
    [10, 'ok'],
    [80, 'warning'],
    [97, 'critical'],
  ])('judges %d of 97', (used, severity) => {
    expect(judgeConnections({ ...use, used }, [], true).severity).toBe(severity);
  });

  it.each([
    [60, 'ok'],
    [301, 'warning'],
    [3601, 'critical'],
  ])('judges a transaction that idles for %d s', (stateSeconds, severity) => {
    const idle = session(7, { state: 'idle in transaction (aborted)', stateSeconds });
    const judgement = judgeConnections(use, [idle], false);
    expect(judgement.severity).toBe(severity);
    expect(judgement.summary).toMatch(/1 idle in a transaction.*pg_monitor/);
  });
});

describe('replication', () => {
  const MB = 1024 ** 2;

  it.each([
    [{ lagBytes: 0, lagSeconds: null }, 'ok'],
    [{ lagBytes: 200 * MB, lagSeconds: 1 }, 'warning'],
    [{ lagBytes: 0, lagSeconds: 700 }, 'critical'],
    [{ lagBytes: null, lagSeconds: null }, 'ok'],
  ])('judges a standby with %o', (lag, severity) => {
    expect(judgeReplication([{ name: 'b', state: 'streaming', ...lag }], [], null).severity).toBe(severity);
  });

  it.each([
    [{ isActive: true, keptBytes: 5 * MB, walStatus: 'reserved' }, 'ok'],
    [{ isActive: false, keptBytes: 5 * MB, walStatus: 'reserved' }, 'warning'],
    [{ isActive: false, keptBytes: 20_000 * MB, walStatus: 'extended' }, 'critical'],
    [{ isActive: false, keptBytes: null, walStatus: 'lost' }, 'critical'],
  ])('judges a slot with %o', (slot, severity) => {
    expect(judgeReplication([], [{ name: "it's", ...slot }], null)).toMatchObject({ severity });
  });

  it('quotes the name of a slot, and knows a standby that is late', () => {
    const slot = { name: "it's", isActive: false, keptBytes: 0, walStatus: null };
    expect(judgeReplication([], [slot], null).findings[0]?.fix).toContain("pg_drop_replication_slot('it''s')");
    expect(judgeReplication([], [], 90)).toMatchObject({ severity: 'warning' });
  });
});

describe('sequences', () => {
  const sequence = (more: Partial<SequenceUse>): SequenceUse => ({
    schema: 'public',
    name: 'orders_id_seq',
    last: 10,
    start: 1,
    end: 2 ** 63,
    isReadable: true,
    table: 'orders',
    column: 'id',
    columnType: 'bigint',
    ...more,
  });

  it.each([
    ['a new one', {}, 'ok'],
    ['one never used', { last: null }, 'ok'],
    ['an integer column', { last: 1_800_000_000, columnType: 'integer' }, 'warning'],
    ['a bigint sequence of a full integer column', { last: 2_100_000_000, columnType: 'integer' }, 'critical'],
    [
      'one that counts down',
      { start: -1, end: -100, last: -95, columnType: null, table: null, column: null },
      'critical',
    ],
  ])('judges %s', (_, more, severity) => {
    expect(judgeSequences([sequence(more)]).severity).toBe(severity);
  });

  it('says that some cannot be read', () => {
    expect(judgeSequences([sequence({ isReadable: false, last: null })]).summary).toContain(
      '1 sequence may not be read',
    );
  });
});

describe('the rest', () => {
  it('judges the cache only with enough reads', () => {
    const judge = (hits: number, reads: number) => judgeCache({ hits, reads, bufferBytes: 128 * 1024 ** 2 }).severity;
    expect([judge(10, 90), judge(90_000, 10_000), judge(99_000, 1000), judge(0, 0)]).toEqual([
      'ok',
      'warning',
      'ok',
      'ok',
    ]);
  });

  it('judges checkpoints only if there were some', () => {
    const judge = (timed: number, requested: number) =>
      judgeCheckpoints({ timed, requested, maxWal: '1GB', seconds: 100 }).severity;
    expect([judge(0, 3), judge(5, 20), judge(100, 5)]).toEqual(['ok', 'warning', 'ok']);
  });

  it('judges transactions by their age, also prepared ones', () => {
    const judge = (seconds: number) =>
      judgeTransactions([session(1, { transactionSeconds: seconds })], [], texts, true).severity;
    expect([judge(10), judge(400), judge(4000)]).toEqual(['ok', 'warning', 'critical']);
    const { findings } = judgeTransactions([], [{ id: "x'y", seconds: 400 }], texts, true);
    expect(findings[0]?.fix).toBe("ROLLBACK PREPARED 'x''y'; or COMMIT PREPARED 'x''y';");
  });

  it('warns of unused indexes, and of young statistics', () => {
    const index = { schema: 'public', name: 'i', table: 't', bytes: 5_000_000, writes: 7 };
    expect(judgeUnused([index], 3600).summary).toContain('wait a week');
    expect(judgeUnused([index], 30 * 86_400).summary).toContain('Standbys');
    expect(judgeUnused([], 3600).severity).toBe('ok');
  });

  it('finds a failed index graver than a constraint', () => {
    const one = { schema: 'public', table: 't', name: 'n', isPartitioned: false };
    expect(judgeInvalid([{ ...one, kind: 'constraint' }]).severity).toBe('warning');
    expect(judgeInvalid([{ ...one, kind: 'index' }]).severity).toBe('critical');
    expect(judgeInvalid([{ ...one, kind: 'index', isPartitioned: true }]).findings[0]?.fix).toContain(
      'ATTACH PARTITION',
    );
  });

  it('warns of a superuser, and says what a plain user lacks', () => {
    const server = {
      version: 150_000,
      user: 'App User',
      isSuperuser: false,
      seesAll: false,
      isStandby: false,
      database: 'shop',
      statisticsAge: 1,
    };
    expect(judgeSuperuser({ ...server, isSuperuser: true }).severity).toBe('warning');
    expect(judgeSuperuser(server).summary).toContain('GRANT pg_monitor TO "App User";');
  });
});
