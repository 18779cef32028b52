import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookSecret, tellLocalHook, writeLocalHook } from './hook-places.ts';
import { instancePlaces } from '../n8n/local/places.ts';
import type { Settings } from '../store/store.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-home-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const settings = { secret: async (key: string) => Buffer.from(key) } as Partial<Settings> as Settings;
const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

test('the hook file of the local n8n reads where the gateway is', async () => {
  const places = instancePlaces(home);
  const file = await writeLocalHook(places);
  expect(await modeOf(file)).toBe(0o600);
  expect(await readFile(file, 'utf8')).toContain(join(places.folder, 'hook-target.json'));
  const hooks = createRequire(import.meta.url)(file) as { workflow: Record<string, unknown[]> };
  expect(Object.keys(hooks.workflow)).toContain('afterUpdate');
});

test('a gateway publishes its URL as long as it runs', async () => {
  const { folder } = instancePlaces(home);
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'hook-target.json');
  {
    await using _told = await tellLocalHook(home, 'http://127.0.0.1:3500', settings);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      url: 'http://127.0.0.1:3500/api/v1/bridge/hook/default',
      secret: await hookSecret(settings, 'default'),
    });
    expect(await modeOf(file)).toBe(0o600);
  }
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('writes nothing if no local n8n was ever started', async () => {
  await using _told = await tellLocalHook(home, 'http://127.0.0.1:3500', settings);
  await expect(stat(join(home, 'n8n'))).rejects.toMatchObject({ code: 'ENOENT' });
});
