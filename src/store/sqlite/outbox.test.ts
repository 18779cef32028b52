import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { outboxContract, outboxHoldersContract } from '../outbox.contract.ts';
import { openSqlite } from './open.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-outbox-'));
let places = 0;
afterAll(() => rmSync(root, { recursive: true, force: true }));

outboxContract('sqlite in a file', () => openSqlite(join(root, `${++places}.db`)));
outboxHoldersContract('sqlite in a file', async () => {
  const file = join(root, `${++places}.db`);
  return () => openSqlite(file);
});
outboxContract('sqlite in memory', () => openSqlite(':memory:'));

test('the place of a process that has ended is taken over at once', async () => {
  await using store = await openSqlite(':memory:');
  await store.outbox.open('w');
  expect(await store.outbox.hold('w', { id: 'a', pid: 1 }, 60_000, () => true)).toBe(true);
  expect(await store.outbox.hold('w', { id: 'b', pid: 2 }, 60_000, () => true)).toBe(false);
  expect(await store.outbox.hold('w', { id: 'b', pid: 2 }, 60_000, () => false)).toBe(true);
});
