import { expect, test } from 'vitest';
import { meta } from '../../../src/wire/versions.ts';
import { type Json, startGateway, startReference } from '../harness.ts';
import { ask, askIn, call, callIn, type Exchanged, sessionOf } from '../../support/exchange.ts';
import { listen } from '../../support/listening.ts';
import { startScripted } from '../../fixtures/scripted-server.ts';
import { as, serve } from '../../support/served-wire.ts';

const logs = ({ before }: Exchanged) =>
  before.filter(({ method }) => method === 'notifications/message').map(({ params }) => (params as Json).data);
const three = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
const atLevel = (level: string) => ({ meta: { [meta.logLevel]: level } });

const backends = (['http', 'stdio'] as const).flatMap((transport) =>
  (['legacy', 'modern'] as const).map((era) => ({ transport, era })),
);

test.each(backends)(
  'a 2026 client gets logs of a $era backend ($transport) only on request, from the requested level',
  async (backend) => {
    await using reference = await startReference(backend.transport, backend.era);
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    const logged = async (extra = {}) => logs(await call(gateway.mcp, 'ref__test_tool_with_logging', {}, extra));
    expect(await logged()).toEqual([]);
    expect(await logged(atLevel('info'))).toEqual(three);
    expect(await logged(atLevel('debug'))).toEqual(three);
    expect(await logged(atLevel('error'))).toEqual([]);
    expect(await logged()).toEqual([]);
  },
);

test.each(backends)('a 2025 client sets the level of a $era backend ($transport) for itself only', async (backend) => {
  await using reference = await startReference(backend.transport, backend.era);
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const one = await sessionOf(gateway.mcp, {});
  const two = await sessionOf(gateway.mcp, {});
  const logged = async (session: Record<string, string>) =>
    logs(await callIn(gateway.mcp, session, 'ref__test_tool_with_logging'));
  const setLevel = (session: Record<string, string>, level: string) =>
    askIn(gateway.mcp, session, 'logging/setLevel', { level });
  // Before a level is set, a 2025 server may send any logs, a 2026 server none.
  const unasked = backend.era === 'legacy' ? three : [];
  expect(await logged(two)).toEqual(unasked);
  expect((await setLevel(one, 'error')).error).toBeUndefined();
  expect(await logged(one)).toEqual([]);
  expect(await logged(two)).toEqual(unasked);
  await setLevel(one, 'info');
  expect(await logged(one)).toEqual(three);
  await setLevel(two, 'warning');
  expect(await logged(two)).toEqual([]);
  expect(await logged(one)).toEqual(three);
  expect((await setLevel(one, 'loud')).error).toMatchObject({ code: -32602 });
});

test('a 2026 client gets the level it asks for from a 2025 backend, whatever level another client set', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const session = await sessionOf(gateway.mcp, {});
  await askIn(gateway.mcp, session, 'logging/setLevel', { level: 'emergency' });
  expect(logs(await call(gateway.mcp, 'ref__test_tool_with_logging', {}, atLevel('info')))).toEqual(three);
});

test('a level is sent to 2025 backends, and again after they reconnect', async () => {
  let level = 'none';
  const script = {
    'logging/setLevel': (params: Json) => {
      level = String(params.level);
      return {};
    },
  };
  await using backend = await startScripted('legacy', script, { tools: {}, logging: {} });
  await using gateway = await startGateway({ mcpServers: { ref: backend.entry } });
  expect(level).toBe('none');
  const session = await sessionOf(gateway.mcp, {});
  await askIn(gateway.mcp, session, 'logging/setLevel', { level: 'debug' });
  expect(level).toBe('debug');
  level = 'none';
  await gateway.runtime.apis.gateway.backend('ref')?.lanes.restart();
  await expect.poll(() => level).toBe('debug');
});

test('a log goes only to the client whose call it belongs to', async () => {
  await using reference = await startReference('stdio', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  using bystander = await listen(gateway.mcp, 'legacy');
  const session = await sessionOf(gateway.mcp, {});
  expect(logs(await callIn(gateway.mcp, session, 'ref__test_tool_with_logging'))).toEqual(three);
  // This notice follows the logs on the same connection, so they would have arrived before it.
  await callIn(gateway.mcp, session, 'ref__test_trigger_tool_change');
  await expect.poll(() => bystander.listChanges('tools')).toBeGreaterThan(0);
  expect(bystander.notices('notifications/message')).toEqual([]);
});

const lists = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

/** A backend with these cache hints on all lists. */
function hinting(ttlMs: number, cacheScope: string, tool = 'one') {
  const script = Object.fromEntries(
    Object.entries(lists).map(([method, field]) => {
      const items = field === 'tools' ? [{ name: tool, inputSchema: { type: 'object' } }] : [];
      return [method, () => ({ [field]: items, ttlMs, cacheScope })];
    }),
  );
  return startScripted('modern', script, { tools: {}, prompts: {}, resources: {} });
}

test.each(Object.keys(lists))(
  '%s has the shortest ttl of all its backends, and is private if one of them is',
  async (method) => {
    await using long = await hinting(50_000, 'public');
    await using short = await hinting(7000, 'private');
    await using gateway = await startGateway({ mcpServers: { long: long.entry } });
    expect((await ask(gateway.mcp, method)).result.ttlMs).toBe(50_000);
    await gateway.reload({ mcpServers: { long: long.entry, short: short.entry } });
    await expect.poll(async () => (await ask(gateway.mcp, method)).result.ttlMs).toBe(7000);
    expect((await ask(gateway.mcp, method)).result.cacheScope).toBe('private');
  },
);

test('a list with items of a 2025 backend must not be cached', async () => {
  await using long = await hinting(50_000, 'public');
  await using legacy = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { long: long.entry, legacy: legacy.entry } });
  for (const method of Object.keys(lists)) {
    expect((await ask(gateway.mcp, method)).result, method).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  }
  const read = await ask(gateway.mcp, 'resources/read', { uri: 'test://static-text' });
  expect(read.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
});

test('2025 clients see no cache hints', async () => {
  await using long = await hinting(50_000, 'public');
  await using gateway = await startGateway({ mcpServers: { long: long.entry } });
  const session = await sessionOf(gateway.mcp, {});
  for (const method of Object.keys(lists)) {
    const { result } = await askIn(gateway.mcp, session, method);
    expect(Object.keys(result), method).toEqual([lists[method as keyof typeof lists]]);
  }
});

test('a changed cache hint of a backend changes that of the list', async () => {
  let ttlMs = 40_000;
  const script = {
    'tools/list': () => ({ tools: [{ name: 'one', inputSchema: { type: 'object' } }], ttlMs, cacheScope: 'public' }),
  };
  await using backend = await startScripted('modern', script);
  await using gateway = await startGateway({ mcpServers: { ref: backend.entry } });
  expect((await ask(gateway.mcp, 'tools/list')).result.ttlMs).toBe(40_000);
  ttlMs = 3000;
  await gateway.runtime.apis.gateway.backend('ref')?.lanes.restart();
  await expect.poll(async () => (await ask(gateway.mcp, 'tools/list')).result.ttlMs).toBe(3000);
});

test('a list cached for one user is never served to another', async () => {
  await using a = await hinting(50_000, 'public', 'alpha');
  await using b = await hinting(50_000, 'private', 'beta');
  await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
  const scopes = (server: string) => ({ scopes: new Set([`${server}:read`, `${server}:execute`, `${server}:write`]) });
  const people = { alice: scopes('a'), bob: scopes('b'), reader: { tools: ['a__*'] } };
  await using wire = await serve(gateway, { people });
  const listed = async (user: string) => {
    const modern = (await ask(wire.mcp, 'tools/list', {}, { headers: as(user) })).result.tools as Json[];
    const session = await sessionOf(wire.mcp, as(user));
    const legacy = (await askIn(wire.mcp, session, 'tools/list')).result.tools as Json[];
    expect(legacy).toEqual(modern);
    return modern.map(({ name }) => String(name)).filter((name) => name.includes('__'));
  };
  for (let round = 0; round < 2; round++) {
    expect(await listed('owner')).toEqual(['a__alpha', 'b__beta']);
    expect(await listed('alice')).toEqual(['a__alpha']);
    expect(await listed('bob')).toEqual(['b__beta']);
    expect(await listed('reader')).toEqual(['a__alpha']);
  }
});
