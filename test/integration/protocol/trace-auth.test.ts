import { expect, test } from 'vitest';
import {
  callTool,
  connectV1,
  connectV2,
  type Json,
  rpc,
  send,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';
import { ask, askIn, call, said, sessionOf } from '../../support/exchange.ts';
import { listen } from '../../support/listening.ts';
import { startScripted } from '../../fixtures/scripted-server.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const carried = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1', baggage: 'user=7' };
const passedOn = {
  traceparent: expect.stringMatching(new RegExp(`^00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-01$`)),
  tracestate: 'vendor=1',
  baggage: 'user=7',
};
const begun = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;

interface Seen {
  _meta: Json;
  headers: Record<string, string>;
}

const seen = (text: string) => JSON.parse(text) as Seen;
const params = (meta?: Json) => ({ name: 'ref__whoami', arguments: {}, ...(meta && { _meta: meta }) });

/** Every kind of client that can send its own request headers. */
const fronts: Record<string, (gateway: TestGateway, headers: Record<string, string>, meta?: Json) => Promise<Seen>> = {
  async '2026'({ mcp }, headers, meta = {}) {
    return seen(said(await call(mcp, 'ref__whoami', {}, { headers, meta })));
  },
  async '2025 in a session'({ mcp }, headers, meta) {
    const session = await sessionOf(mcp, {});
    return seen(said(await askIn(mcp, { ...session, ...headers }, 'tools/call', params(meta))));
  },
  async '2025 without a session'({ mcp }, headers, meta) {
    const { messages } = await send(mcp, { headers, body: rpc(1, 'tools/call', params(meta)) });
    return seen(textOf(messages.at(-1)?.result as Json));
  },
};
const backends = (['http', 'stdio'] as const).flatMap((transport) =>
  (['legacy', 'modern'] as const).map((era) => ({ transport, era })),
);
const ways = Object.keys(fronts).flatMap((front) => backends.map((backend) => ({ front, ...backend })));

test.each(ways)(
  'the trace of a $front client reaches a $era backend ($transport)',
  async ({ front, transport, era }) => {
    await using reference = await startReference(transport, era);
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    const through = (headers: Record<string, string>, meta?: Json) => fronts[front]?.(gateway, headers, meta);
    expect((await through(carried))?._meta, 'in headers').toMatchObject(passedOn);
    expect((await through({}, carried))?._meta, 'in _meta').toMatchObject(passedOn);
    const other = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
    expect((await through(other, carried))?._meta, '_meta is nearer than headers').toMatchObject(passedOn);
    const unsampled = { traceparent: `00-${TRACE}-${SPAN}-00` };
    expect(String((await through(unsampled))?._meta.traceparent)).toMatch(/-00$/);
    expect(String((await through({}))?._meta.traceparent), 'a new one').toMatch(begun);
    expect(String((await through({ traceparent: 'nonsense' }))?._meta.traceparent)).toMatch(begun);
  },
);

test.each(['sse', 'stdio'] as const)('the trace of a 2025 client over %s reaches the backend', async (transport) => {
  await using reference = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const headers = transport === 'sse' ? carried : undefined;
  await using client = await connectV1(gateway, { transport, ...(headers && { headers }) });
  const meta = transport === 'stdio' ? { _meta: carried } : {};
  const result = await client.callTool({ name: 'ref__whoami', arguments: {}, ...meta });
  expect(seen(textOf(result))._meta).toMatchObject(passedOn);
});

test('the events of a call are found by the trace of the caller', async () => {
  await using reference = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await call(gateway.mcp, 'ref__echo', { text: 'traced' }, { headers: carried });
  await call(gateway.mcp, 'ref__echo', { text: 'another' });
  await expect
    .poll(async () => {
      const { result } = await call(gateway.mcp, 'get_events', { trace_id: TRACE });
      return (result.structuredContent as { events: { event_type: string }[] }).events
        .map(({ event_type }) => event_type)
        .sort();
    })
    .toEqual(['tool.call_completed', 'tool.call_received']);
});

const secrets = {
  authorization: 'Bearer client-secret',
  cookie: 'session=client-secret',
  'x-api-key': 'client-secret',
};

test.each(ways)(
  'credentials of a $front client never reach a $era backend ($transport)',
  async ({ front, transport, era }) => {
    await using reference = await startReference(transport, era);
    const headers = { Authorization: 'Bearer of-the-gateway' };
    const entry = transport === 'http' ? { ...reference.entry, headers } : reference.entry;
    await using gateway = await startGateway({ mcpServers: { ref: entry } });
    const who = await fronts[front]?.(gateway, secrets);
    expect(JSON.stringify(who)).not.toContain('client-secret');
    if (transport === 'http') expect(who?.headers.authorization).toBe('Bearer of-the-gateway');
  },
);

test('the token of an SDK client never reaches the backends', async () => {
  await using reference = await startReference('http', 'both');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  for (const era of ['legacy', 'modern'] as const) {
    await using client = await connectV2(gateway, { era, headers: secrets });
    const who = seen(textOf(await callTool(client, 'ref__whoami')));
    expect(who.headers).not.toHaveProperty('authorization');
    expect(JSON.stringify(who)).not.toContain('client-secret');
  }
});

test.each(['legacy', 'modern'] as const)(
  'no kind of request carries credentials of a client to a %s backend',
  async (era) => {
    const hint = { ttlMs: 0, cacheScope: 'private' };
    await using backend = await startScripted(
      era,
      {
        'tools/list': () => ({ tools: [{ name: 'do', inputSchema: { type: 'object' } }], ...hint }),
        'tools/call': () => ({ content: [] }),
        'prompts/list': () => ({ prompts: [{ name: 'say' }], ...hint }),
        'prompts/get': () => ({ messages: [] }),
        'resources/list': () => ({ resources: [{ uri: 'x://1', name: 'one' }], ...hint }),
        'resources/read': () => ({ contents: [], ...hint }),
        'resources/subscribe': () => ({}),
        'completion/complete': () => ({ completion: { values: [] } }),
        'logging/setLevel': () => ({}),
      },
      { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} },
    );
    for (const isolation of ['shared', 'session', 'principal']) {
      await using gateway = await startGateway({ mcpServers: { ref: { ...backend.entry, isolation } } });
      const { mcp } = gateway;
      const session = await sessionOf(mcp, secrets);
      const ref = { type: 'ref/prompt', name: 'ref__say' };
      for (const [method, given] of [
        ['tools/call', { name: 'ref__do' }],
        ['prompts/get', { name: 'ref__say' }],
        ['resources/read', { uri: 'x://1' }],
        ['completion/complete', { ref, argument: { name: 'a', value: '' } }],
      ] as const) {
        expect((await ask(mcp, method, given, { headers: secrets })).error).toBeUndefined();
        expect((await askIn(mcp, session, method, given)).error).toBeUndefined();
      }
      await askIn(mcp, session, 'resources/subscribe', { uri: 'x://1' });
      await askIn(mcp, session, 'logging/setLevel', { level: 'debug' });
      using _ = await listen(mcp, 'modern', { filter: { resourceSubscriptions: ['x://1'] }, headers: secrets });
    }
    const reached = new Set(backend.received.map(({ method }) => method));
    for (const method of ['tools/call', 'prompts/get', 'resources/read', 'completion/complete'])
      expect(reached).toContain(method);
    expect(reached).toContain(era === 'legacy' ? 'resources/subscribe' : 'subscriptions/listen');
    expect(JSON.stringify(backend.received)).not.toContain('client-secret');
  },
);
