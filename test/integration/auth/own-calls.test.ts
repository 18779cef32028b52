import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import {
  type Json,
  type LocalReference,
  open,
  send,
  startGateway,
  startReference,
  type TestGateway,
} from '../harness.ts';

const SECRET = 'stderr-of-the-broken-one';

let backend: LocalReference;
let gateway: TestGateway;

beforeAll(async () => {
  backend = await startReference('http', 'both');
  const failing = `console.error('${SECRET}'); process.exit(1)`;
  gateway = await startGateway({
    auth: { mode: 'keys' },
    mcpServers: {
      ref: backend.entry,
      other: backend.entry,
      broken: { command: process.execPath, args: ['-e', failing] },
    },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await backend[Symbol.asyncDispose]();
});

let made = 0;
async function key(scopes: string[], more: Partial<KeyGrant> = {}) {
  const grant = { name: `own${made++}`, createdAt: new Date().toISOString(), createdBy: 'test' };
  const { id, key: text } = await createKey(gateway.runtime.store.keys, { ...grant, scopes, ...more });
  return { id: `key:${id}`, key: text };
}

const OWN_TOOLS = ['ref__*', 'get_events', 'gateway_*'];
const limited = (...scopes: string[]) => key(['tools:execute', 'health:check', ...scopes], { tools: OWN_TOOLS });

const get = (text: string, path: string, headers: Record<string, string> = {}) =>
  send(`${gateway.url}${path}`, { headers: { 'x-api-key': text, ...headers } });

async function call(text: string, name: string, args: Json = {}): Promise<Json> {
  const { messages } = await send(`${gateway.url}/api/v1/mcp/invoke`, {
    headers: { 'x-api-key': text },
    body: { name, arguments: args },
  });
  return (messages[0] as { result: Json }).result;
}

const structured = async (text: string, name: string, args: Json = {}) =>
  (await call(text, name, args)).structuredContent as Json;

interface Seen {
  id: number;
  event_type: string;
  data: { principal?: string; tool?: string; backend?: string };
}
const ownOnly = (events: readonly Seen[], id: string) =>
  events.every(
    ({ event_type, data }) =>
      event_type.startsWith('tool.') && data.principal === id && /^(?:ref__|get_events|gateway_)/.test(data.tool ?? ''),
  );

const PAGES = ['/api/v1/status', '/api/v1/events', '/api/v1/mcp/health', '/metrics'];

describe('pages and routes need health:check or admin', () => {
  test.each<[string, string[], number]>([
    ['tools:execute', ['tools:execute'], 403],
    ['tools:read', ['tools:read'], 403],
    ['a scope of a source', ['ref:read', 'ref:execute'], 403],
    ["the gateway's own scopes as a source", ['gateway:read', 'health:read'], 403],
    ['health:check', ['health:check'], 200],
    ['admin', ['admin'], 200],
  ])('%s', async (_, scopes, status) => {
    const { key: text } = await key(scopes);
    const got = await Promise.all(PAGES.map(async (path) => (await get(text, path, { accept: '*/*' })).status));
    expect(got).toEqual(PAGES.map(() => status));
  });
});

describe('a key that is limited to tools', () => {
  test('may not open pages about everybody, unless it has admin', async () => {
    const own = await limited();
    expect((await get(own.key, '/metrics')).status).toBe(403);
    const admin = await limited('admin');
    expect((await get(admin.key, '/metrics')).status).toBe(200);
  });

  test('sees only events and usage of its own calls to its tools', async () => {
    const [own, stranger] = [await limited(), await key(['tools:execute', 'health:check'])];
    for (const { key: text } of [own, stranger])
      for (const tool of ['ref__echo', 'other__echo']) await call(text, tool, { text: 'x' });

    const page = async (query = '') =>
      ((await get(own.key, `/api/v1/events${query}`)).messages[0] as { events: Seen[] }).events;
    const events = await page();
    expect(events.map(({ data }) => data.tool)).toContain('ref__echo');
    expect(ownOnly(events, own.id)).toBe(true);
    expect(await page(`?principal=${stranger.id}`)).toEqual([]);
    expect(await page('?event_type=gateway.*')).toEqual([]);
    expect(await page('?source=broken')).toEqual([]);

    const told = (await structured(own.key, 'get_events', { limit: 200 })).events as Seen[];
    expect(told.length).toBeGreaterThan(0);
    expect(ownOnly(told, own.id)).toBe(true);

    const rows = async (text: string, by: string) =>
      ((await structured(text, 'gateway_usage', { by })).mostUsed as { name: string }[]).map(({ name }) => name);
    expect(await rows(own.key, 'key')).toEqual([own.id]);
    expect(await rows(own.key, 'source')).not.toContain('other');
    expect(await rows(own.key, 'tool')).toContain('ref__echo');

    const everything = (await get(stranger.key, '/api/v1/events?limit=1000')).messages[0] as { events: Seen[] };
    expect(everything.events.some(({ data }) => data.principal === own.id)).toBe(true);
    for (const { id, data } of everything.events) {
      const isOwn = data.principal === own.id && data.tool?.startsWith('ref__') === true;
      if (isOwn || data.principal === stranger.id)
        expect((await get(own.key, `/api/v1/events/${id}`)).status).toBe(isOwn ? 200 : 404);
    }
  });

  test('streams only those events too, including past ones', async () => {
    const [own, stranger] = [await limited(), await key(['tools:execute'])];
    await call(stranger.key, 'ref__echo', { text: 'x' });
    await call(own.key, 'ref__echo', { text: 'before' });
    const stream = await open(`${gateway.url}/api/v1/events`, {
      headers: { 'x-api-key': own.key, accept: 'text/event-stream', 'last-event-id': '0' },
    });
    const seen = () => stream.messages as unknown as Seen[];
    const ended = () => seen().filter(({ event_type }) => event_type === 'tool.call_completed').length;
    await expect.poll(ended).toBe(1);
    await call(stranger.key, 'ref__echo', { text: 'x' });
    await call(own.key, 'ref__echo', { text: 'after' });
    await expect.poll(ended).toBe(2);
    stream.close();
    expect(ownOnly(seen(), own.id)).toBe(true);
  });

  test('sees only the servers of its tools', async () => {
    const own = await limited();
    const status = (await get(own.key, '/api/v1/status')).messages[0] as Json;
    const told = await structured(own.key, 'gateway_status');
    const health = (await get(own.key, '/api/v1/mcp/health')).messages[0] as Json;
    for (const { backends } of [status, told] as { backends: Json[] }[]) {
      expect(backends.map(({ name }) => name)).toEqual(['ref']);
      expect(backends[0]).not.toHaveProperty('calls');
    }
    expect(Object.keys(status).toSorted()).toEqual([
      'backends',
      'exposure',
      'notConfigured',
      'parts',
      'problems',
      'state',
      'tools',
      'uptimeSeconds',
      'url',
      'version',
    ]);
    expect(status).toMatchObject({ parts: [], problems: [], notConfigured: [] });
    expect(health).toMatchObject({ healthy: true, error: null });
    const refused = async (server: string) => {
      const { messages } = await send(`${gateway.url}/api/v1/mcp/invoke`, {
        headers: { 'x-api-key': own.key },
        body: { name: 'gateway_status', arguments: { server } },
      });
      return JSON.stringify(messages[0]).replaceAll(server, 'X');
    };
    expect(await refused('broken')).toContain('No server X');
    expect(await refused('broken')).not.toMatch(/broken|other/);
    expect(JSON.stringify([status, told, health])).not.toMatch(/broken|other/);

    const { key: watcher } = await key(['health:check']);
    expect(JSON.stringify((await get(watcher, '/api/v1/status')).messages[0])).toContain(SECRET);
  });
});
