import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { masterKey } from './master-key.ts';
import { openSqlite } from './sqlite/open.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-key-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('is created once, readable by its owner only, and leaves nothing else behind', () => {
  const file = join(home, 'sluice.key');
  const key = masterKey(file);
  expect(key).toHaveLength(32);
  expect(masterKey(file)).toEqual(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['sluice.key']);
});

test('a file with other content is left alone and reported', () => {
  const file = join(home, 'sluice.key');
  writeFileSync(file, 'a love letter');
  expect(() => masterKey(file)).toThrow('is not the key that Sluice wrote');
  expect(readFileSync(file, 'utf8')).toBe('a love letter');
});

test('without it the encrypted data of a store cannot be read', async () => {
  const file = join(home, 'sluice.db');
  {
    await using store = await openSqlite(file);
    await store.settings.secret('k');
    await store.servers.put('a', { headers: { Authorization: 'Bearer hidden' } }, 'test');
    expect(readFileSync(`${file}-wal`, 'latin1')).not.toContain('hidden');
  }
  rmSync(join(home, 'sluice.key'));
  await using store = await openSqlite(file);
  await expect(store.settings.secret('k')).rejects.toThrow('Cannot decrypt');
  await expect(store.servers.list()).rejects.toThrow('sluice.key is not the key');
});
