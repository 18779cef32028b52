import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needRestart } from '../../../src/host/config/at-start.ts';
import { loadConfig } from '../../../src/host/config/load.ts';
import { part } from '../../../src/host/part.ts';
import { startParts } from '../../../src/host/runtime.ts';
import { parts } from '../../../src/parts.ts';
import { configSchema } from '../../../src/runtime.ts';
import {
  callTool,
  connectV2,
  type LocalReference,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';

let reference: LocalReference;
let gateway: TestGateway;
const base = () => ({ mcpServers: { ref: reference.entry } });

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway(base());
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await reference?.[Symbol.asyncDispose]();
});

/** One change for each key of the file that applies without a restart. */
const changes: Record<string, unknown> = {
  server: { allowedOrigins: ['https://a.example'] },
  auth: { mode: 'none', token: 'a-token-of-some-length' },
  n8n: { lab: { url: 'http://127.0.0.1:9', apiKey: 'k' } },
  backups: { keep: 3, s3: { endpoint: 'http://127.0.0.1:9', bucket: 'mine', accessKeyId: 'a', secretAccessKey: 'b' } },
  nodes: { build: 'manual' },
  templates: { libraries: { team: './flows' } },
  validation: { onSave: 'warn' },
  bridge: { poll: '1m' },
  graph: false,
  memory: { halfLife: 30 },
  projects: false,
  blueprints: { keepDays: 7 },
  recipes: false,
  modules: { prometheus: { url: 'http://127.0.0.1:9' } },
  toolsets: { some: { include: ['ref__*'] } },
  events: { calls: false },
  gateway: { startConcurrency: 2 },
  limits: { connections: 5 },
  presets: { chora: false },
  metrics: { public: true },
  logLevel: 'warn',
};

test('every key of the file is tested here, except those that are read only at the start or refused', () => {
  const others = ['mcpServers', 'logFormat', 'store', 'redis'];
  expect([...Object.keys(changes), ...others].sort()).toEqual(Object.keys(configSchema.shape).sort());
});

test.each(Object.keys(changes))('a change of %s is reported and restarts no server', async (key) => {
  const { events: before } = await gateway.stored({ type: 'gateway.*', limit: 1 });
  const since = gateway.runtime.apis.gateway.backend('ref')?.since;
  await gateway.reload({ ...base(), [key]: changes[key] });
  const { events } = await gateway.stored({ type: 'gateway.*', limit: 20 });
  const fresh = events.filter(({ id }) => id > (before[0]?.id ?? 0));
  expect(fresh.map(({ event_type }) => event_type)).toEqual(['gateway.config_reloaded']);
  expect(fresh[0]?.data).toEqual({ added: [], changed: [], removed: [], sections: [key] });
  expect(gateway.runtime.apis.gateway.backend('ref')?.since).toBe(since);
  expect(gateway.runtime.health().filter(({ state }) => state === 'degraded')).toEqual([]);
  await gateway.reload(base());
});

test('a change of mcpServers is reported with the server names, and the other servers keep running', async () => {
  const since = gateway.runtime.apis.gateway.backend('ref')?.since;
  await gateway.reload({ mcpServers: { ...base().mcpServers, two: reference.entry } });
  const { events } = await gateway.stored({ type: 'gateway.config_reloaded', limit: 1 });
  expect(events[0]?.data).toEqual({ added: ['two'], changed: [], removed: [], sections: ['mcpServers'] });
  expect(gateway.runtime.apis.gateway.backend('ref')?.since).toBe(since);
  await using client = await connectV2(gateway);
  expect(textOf(await callTool(client, 'ref__echo', { text: 'still here' }))).toContain('still here');
  await gateway.reload(base());
});

test.each([
  [{ server: { host: '127.0.0.2' } }, ['server.host']],
  [{ server: { port: 1 } }, ['server.port']],
  [{ server: { internal: { host: '127.0.0.1', port: 1 } } }, ['server.internal']],
  [{ server: { publicUrl: 'https://a.example' } }, []],
  [{ metrics: { enabled: false } }, ['metrics.enabled']],
  [{ metrics: { maxTools: 1 } }, ['metrics.maxTools']],
  [{ logFormat: 'json' }, ['logFormat']],
  [{ auth: { mode: 'keys' } }, []],
  [{ auth: { mode: 'oauth', oauth: { builtin: true } } }, ['auth']],
  [{ limits: { sessions: 5 } }, []],
])('%j needs a restart for %j', (file, keys) => {
  expect(needRestart(configSchema, configSchema.parse({}), configSchema.parse(file))).toEqual(keys);
});

test('the scopes of the internal listener need no restart', () => {
  const at = (scopes: string[]) => configSchema.parse({ server: { internal: { host: '127.0.0.1', port: 1, scopes } } });
  expect(needRestart(configSchema, at(['tools:read']), at(['admin']))).toEqual([]);
});

test('a part that fails to reload is reported without its secrets, and the others reload', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-reload-'));
  const secret = 'canary-of-the-part';
  const stubborn = part({
    open: () => ({ api: undefined, secrets: () => [secret], reload: () => Promise.reject(new Error(`no: ${secret}`)) }),
  });
  const options = { home: place.path, cwd: place.path, env: {}, version: '0' };
  await using runtime = await startParts({ stubborn, ...parts }, options);
  await writeFile(join(place.path, 'sluice.json'), JSON.stringify(base()));
  await runtime.reload(await loadConfig({ stubborn, ...parts }, options));
  expect(runtime.apis.gateway.backends().map(({ name }) => name)).toEqual(['ref']);
  const configuration = runtime.health().find(({ kind }) => kind === 'configuration');
  expect(configuration).toMatchObject({
    state: 'degraded',
    lastError: { message: 'The changed configuration is only partly in effect: stubborn: no: [redacted]' },
  });
});

test('no two parts have a key of the same name', () => {
  const keys = Object.values(parts).flatMap((part) => Object.keys('settings' in part ? (part.settings ?? {}) : {}));
  expect(keys.sort()).toEqual([...new Set(keys)].sort());
});
