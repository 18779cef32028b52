import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { openReplica, openTestDatabase, type TestReplica } from '../../support/shared.ts';

const holder = join(import.meta.dirname, '../../fixtures/lease-holder.ts');

describe.skipIf(postgresIsMissing)('leases on PostgreSQL', () => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await createDatabase();
    await using _ = await openTestDatabase(place.url, 1);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  /** Who leads, and how many did at once at most. */
  let running: string[];
  let most: number;
  beforeEach(() => {
    running = [];
    most = 0;
  });
  const lead = (shared: TestReplica, task: string) =>
    shared.lead(task, async (signal) => {
      running.push(shared.peers.self);
      most = Math.max(most, running.length);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      running = running.filter((name) => name !== shared.peers.self);
    });

  test('one replica leads; another takes over at once when it drains or ends', async () => {
    await using a = await openReplica(place.url, { replica: 'a' });
    await using b = await openReplica(place.url, { replica: 'b' });
    await using c = await openReplica(place.url, { replica: 'c' });
    lead(a, 'moves');
    await expect.poll(() => running).toEqual(['a']);
    lead(b, 'moves');
    await b.database.rows('SELECT 1');
    await expect.poll(() => b.peers.all().find(({ id }) => id === 'a')?.leads).toEqual(['moves']);
    const began = performance.now();
    await a.peers.drain();
    await expect.poll(() => running).toEqual(['b']);
    expect(performance.now() - began).toBeLessThan(3000);
    lead(c, 'moves');
    await b[Symbol.asyncDispose]();
    await expect.poll(() => running).toEqual(['c']);
    expect(most).toBe(1);
  });

  test('a broken connection does not cost the lead', async () => {
    await using a = await openReplica(place.url, { replica: 'a' });
    lead(a, 'stays');
    await expect.poll(() => running).toEqual(['a']);
    let ended = 0;
    a.hear('keys', () => (ended += 1));
    await using other = await openTestDatabase(place.url, 1);
    await other.rows(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await other.rows(`SELECT tell('keys')`);
    await expect.poll(() => ended).toBeGreaterThan(0);
    const until = async () =>
      (await other.rows<{ until: Date }>(`SELECT until FROM leases WHERE task = 'stays'`))[0]?.until.getTime();
    const before = await until();
    await expect.poll(until).toBeGreaterThan(before as number);
    expect(running).toEqual(['a']);
    expect(most).toBe(1);
  });

  test('the lease of a killed process moves within 20 s', async () => {
    const child = spawn(process.execPath, [holder, place.url], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await using a = await openReplica(place.url, { replica: 'a' });
    lead(a, 'task');
    await a.database.rows('SELECT 1');
    expect(running).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const killed = performance.now();
    await expect.poll(() => running, { timeout: 25_000 }).toEqual(['a']);
    expect(performance.now() - killed).toBeLessThan(20_000);
    expect(performance.now() - killed).toBeGreaterThan(5000);
  });
});
