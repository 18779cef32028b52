import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolSource } from '../kernel/source.ts';
import type { OwnRecords } from './generate/records.ts';
import { createN8n } from './connected.ts';
import { instancePlaces } from './local/places.ts';
import { watchLocal } from './local/sight.ts';
import type { OwnKeys } from './owner/own-keys.ts';
import type { Catalogues } from '../nodes/catalogue.ts';
import type { TemplateLibrary } from './templates/template.ts';
import { load as loadConfig } from '../runtime.ts';
import { promotionRecords } from './promotion/records.ts';

const catalogues: Catalogues = {
  state: () => ({ state: 'missing' }),
  get() {
    throw new Error('There is none.');
  },
  ready: () => Promise.reject(new Error('There is none.')),
};

const records: OwnRecords = {
  get: async () => undefined,
  put: async () => {},
  secret: async () => Buffer.alloc(32),
};

const none = () => Promise.reject(new Error('There is none.'));
const templates: TemplateLibrary = {
  get: none,
  search: none,
  suggest: none,
  sync: none,
  async [Symbol.asyncDispose]() {},
};

async function opened(home: string, startsLocal: boolean, given: Partial<Parameters<typeof createN8n>[0]> = {}) {
  const { config } = await loadConfig({ home, cwd: home, env: {} });
  const sources: ToolSource[] = [];
  const n8n = createN8n({
    home,
    config: () => config,
    startsLocal,
    catalogues,
    records,
    templates,
    promotions: promotionRecords({ rows: async () => [], change: async () => 0 }),
    addSources: (more) => void sources.push(...more),
    ...given,
  });
  const why = (tool: string) => sources.flatMap((source) => source.absence?.(tool) ?? []);
  return { n8n, why, told: () => sources.flatMap(({ guide }) => guide?.() ?? []).join('\n') };
}

test('a local n8n that this process is about to start counts as starting, never as not configured', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-n8n-'));
  const { n8n, told, why } = await opened(place.path, true);
  await using _n8n = n8n;
  expect(n8n.unavailable()).toEqual([]);
  await n8n.configure();
  expect(n8n.unavailable()).toEqual([]);
  expect(n8n.health()).toMatchObject([{ name: 'local n8n', state: 'starting' }]);
  expect(told()).toContain('n8n is starting');
  expect(told()).toContain('until you publish');
  expect(why('n8n_get_overview')).toEqual([expect.stringContaining('try again in a few seconds')]);
  expect(why('files__read')).toEqual([]);
  expect(why('n8n_validate_workflo')).toEqual([]);
  expect(why('n8n_import_template')).toEqual([expect.stringContaining('try again in a few seconds')]);
});

test('no other n8n stands in for the default while that is starting', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-n8n-'));
  const lab = { url: 'http://127.0.0.1:9', apiKey: 'k' };
  await writeFile(join(place.path, 'sluice.json'), JSON.stringify({ n8n: { lab } }));
  const { n8n } = await opened(place.path, true);
  await using _n8n = n8n;
  await n8n.configure();
  const instances = await n8n.instances();
  expect(() => instances?.get(undefined)).toThrow(/default is starting.*Use instance to reach lab/);
  expect(() => instances?.get('default')).toThrow('default is starting');
  expect(instances?.get('lab').name).toBe('lab');

  const { n8n: alone } = await opened(place.path, false);
  await using _alone = alone;
  await alone.configure();
  expect((await alone.instances())?.get(undefined).name).toBe('lab');
});

test('without an n8n, status and instructions say how to connect one', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-n8n-'));
  const { n8n, told, why } = await opened(place.path, false);
  await using _n8n = n8n;
  await n8n.configure();
  expect(n8n.unavailable()).toMatchObject([
    { name: 'n8n', reason: expect.stringContaining('sluice n8n up') as string },
  ]);
  expect(n8n.health()).toEqual([]);
  expect(why('n8n_list')).toEqual([expect.stringContaining('none is connected')]);
  expect(told()).toContain('No n8n is connected. `gateway_status` says how to connect one.');
});

/** Fails with its first use. */
function onceAway<Given extends unknown[], T>(then: (...given: Given) => T): (...given: Given) => T {
  let isAway = true;
  return (...given) => {
    if (!isAway) return then(...given);
    isAway = false;
    throw new Error('away');
  };
}

const lab = { url: 'http://127.0.0.1:9', apiKey: 'k' };

test.each<[string, object, Partial<Parameters<typeof createN8n>[0]>]>([
  ['the tools of n8n', { lab }, { addSources: onceAway(() => {}) }],
  ['the tools that work without n8n', {}, { addSources: onceAway(() => {}) }],
  ['the last local n8n', {}, { keepsLocal: onceAway(async () => false) }],
])('what fails at first is tried again with the next configuration: %s', async (_, n8n, given) => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-n8n-'));
  await writeFile(join(place.path, 'sluice.json'), JSON.stringify({ n8n }));
  const { n8n: connected } = await opened(place.path, false, given);
  await using _connected = connected;
  await expect(connected.configure()).rejects.toThrow('away');
  await connected.configure();
});

test('a change of the local n8n that could not be taken is told again', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-n8n-'));
  const places = instancePlaces(place.path);
  const taken = Promise.withResolvers<string>();
  const take = onceAway((state: string) => taken.resolve(state));
  using watch = watchLocal(places, { expected: true, onChange: async ({ state }) => take(state) });
  await mkdir(places.folder, { recursive: true });
  const since = new Date(Date.now() + 1000).toISOString();
  const failed = { pid: 1, keptBy: 'itself', version: '1', restarts: 0, since, state: 'failed', reason: 'no port' };
  await writeFile(places.state, JSON.stringify(failed));
  await expect(watch.look()).rejects.toThrow('away');
  expect(await taken.promise).toBe('gone');
});

test('keys are opened once, also for two configurations at the same time', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-n8n-'));
  const owned = { url: 'http://127.0.0.1:9', owner: { email: 'me@example.com', password: 'Secret123' } };
  await writeFile(join(place.path, 'sluice.json'), JSON.stringify({ n8n: { default: owned } }));
  let opens = 0;
  const openKeys = async (): Promise<OwnKeys> => {
    opens++;
    return {
      configure: async () => {},
      get: () => undefined,
      waiting: () => undefined,
      refused() {},
      secrets: () => [],
      async [Symbol.asyncDispose]() {},
    };
  };
  const { n8n } = await opened(place.path, false, { openKeys });
  await using _n8n = n8n;
  await Promise.all([n8n.configure(), n8n.configure()]);
  expect(opens).toBe(1);
});
