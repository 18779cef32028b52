import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { eventScansContract } from '../event-scans.contract.ts';
import { openSqlite } from './open.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-scans-'));
let places = 0;
const newFile = () => join(root, `${++places}`, 'sluice.db');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const audit = ['gateway.server_added', 'gateway.tool_accepted'];
eventScansContract('sqlite in a file', () => openSqlite(newFile(), { audit }));
eventScansContract('sqlite in memory', () => openSqlite(':memory:', { audit }));

const anEvent = { timestamp: new Date(0).toISOString(), status: 'success' as const, data: {} };

describe('digests of blocks of events', () => {
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, i) => ({ ...anEvent, trace_id: `t${from + i}`, event_type: 'tool.x' }));
  const digests = (file: string) => {
    using db = new DatabaseSync(file, { readOnly: true });
    return db
      .prepare('SELECT block FROM event_digests ORDER BY block')
      .all()
      .map(({ block }) => block);
  };

  test('are built for full blocks in the background, and deleted with their events', async () => {
    const file = newFile();
    await using store = await openSqlite(file);
    await store.events.append(many(10_000));
    expect(digests(file)).toEqual([]);
    await store.events.query({ trace: 't9' });
    // A block that is not full yet has none: the next event would make it wrong.
    await expect.poll(() => digests(file)).toEqual([0, 1]);
    await store.events.append(many(3000, 10_000));
    expect((await store.events.query({ trace: 't12999' })).events).toHaveLength(1);
    await expect.poll(() => digests(file)).toEqual([0, 1, 2]);
    await store.events.prune(new Date(), { max: 3000 });
    expect(digests(file)).toEqual([]);
    expect((await store.events.query({ trace: 't12999' })).events).toEqual([]);
  });

  test('let a query skip blocks that cannot match', async () => {
    const file = newFile();
    await using store = await openSqlite(file);
    await store.events.append(many(10_000));
    await store.events.query({ trace: 't9' });
    await expect.poll(() => digests(file)).toEqual([0, 1]);
    // A falsified digest is trusted, which proves that it was used.
    {
      using db = new DatabaseSync(file);
      db.exec(`UPDATE event_digests SET traces = zeroblob(4096) WHERE block = 0`);
    }
    await using again = await openSqlite(file);
    expect((await again.events.query({ trace: 't9' })).events).toEqual([]);
    expect((await again.events.query({ trace: 't5000' })).events).toHaveLength(1);
  });
});
