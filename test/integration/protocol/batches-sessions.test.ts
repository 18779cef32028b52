import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { localOwner } from '../../../src/kernel/principal.ts';
import { serveStream } from '../../../src/wire/stream.ts';
import { callTool, connectV1, type Json, modern, rpc, send, startGateway, startReference, textOf } from '../harness.ts';
import { alive, odd, scratch } from '../../support/processes.ts';
import { type EventStream, openEvents } from '../../support/event-stream.ts';
import { askIn, callIn, said, sessionOf } from '../../support/exchange.ts';
import { as, serve } from '../../support/served-wire.ts';

const echo = (id: number | string, text: string) => rpc(id, 'tools/call', { name: 'ref__echo', arguments: { text } });
const slow = (id: number | string, ms: number, progressToken?: number) =>
  rpc(id, 'tools/call', {
    name: 'ref__slow',
    arguments: { ms, tag: String(id) },
    ...(progressToken !== undefined && { _meta: { progressToken } }),
  });
const notice = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
const texts = (messages: Json[]) =>
  Object.fromEntries(messages.map(({ id, result }) => [String(id), textOf((result ?? {}) as Json)]));
const refused = { error: { code: -32600 } };

test('a 2025-03-26 session gets its batches answered', async () => {
  await using reference = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const session = await sessionOf(gateway.mcp, {}, { version: '2025-03-26' });
  const post = (body: unknown, headers: Record<string, string> = session) => send(gateway.mcp, { headers, body });
  const json = { ...session, accept: 'application/json' };
  const mixed = await post([echo(1, 'one'), notice, echo('two', 'two'), rpc(3, 'no/such')], json);
  expect(mixed.status).toBe(200);
  expect(JSON.parse(mixed.text)).toHaveLength(3);
  expect(texts(mixed.messages)).toMatchObject({ '1': 'one', two: 'two' });
  expect(mixed.messages.find(({ id }) => id === 3)).toMatchObject({ error: { code: -32601 } });
  const single = await post([echo(4, 'alone')], json);
  expect(JSON.parse(single.text)).toMatchObject([{ id: 4 }]);
  expect((await post([notice, notice])).status).toBe(202);

  using stream = await openEvents(gateway.mcp, { headers: session, body: [slow(5, 300, 77), echo(6, 'quick')] });
  expect(stream.headers['content-type']).toContain('text/event-stream');
  expect(await stream.ended).toBe('cleanly');
  const answers = stream.messages().filter(({ id }) => id !== undefined);
  expect(texts(answers)).toEqual({ '5': 'slow 300', '6': 'quick' });
  expect(stream.messages().filter(({ method }) => method === 'notifications/progress')).toHaveLength(10);
});

test('a batch without a session is served as 2025-03-26, unless it names another version', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const body = [echo(1, 'one'), echo(2, 'two')];
  expect(texts((await send(gateway.mcp, { body })).messages)).toEqual({ '1': 'one', '2': 'two' });
  const later = await send(gateway.mcp, { headers: { 'mcp-protocol-version': '2025-06-18' }, body });
  expect(later).toMatchObject({ status: 400, messages: [refused] });
});

test.each(['2025-06-18', '2025-11-25'])('a %s session refuses batches', async (version) => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const headers = await sessionOf(gateway.mcp, {}, { version });
  for (const body of [[slow('batched', 10)], [slow('batched', 10), slow('too', 10)], [notice], []]) {
    expect(await send(gateway.mcp, { headers, body })).toMatchObject({ status: 400, messages: [refused] });
  }
  expect(reference.world.journal).toEqual([]);
  expect(said(await callIn(gateway.mcp, headers, 'ref__echo', { text: 'still here' }))).toBe('still here');
});

test('empty and invalid batches, 2026 batches and batches with an initialize are refused', async () => {
  await using gateway = await startGateway({ mcpServers: {} });
  const session = await sessionOf(gateway.mcp, {}, { version: '2025-03-26' });
  const initialize = rpc(1, 'initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: {} });
  const bodies = [
    [],
    [1],
    [rpc(1, 'ping'), { jsonrpc: '2.0' }],
    [modern('tools/list').body],
    [initialize],
    [initialize, rpc(2, 'ping')],
  ];
  for (const headers of [session, {}]) {
    for (const body of bodies) {
      const answer = await send(gateway.mcp, { headers, body });
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, messages: [refused] });
    }
  }
});

test('over legacy SSE only 2025-03-26 has batches too', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  for (const [version, status] of [
    ['2025-03-26', 202],
    ['2025-11-25', 400],
  ] as const) {
    using stream = await openEvents(gateway.sse);
    await expect.poll(() => stream.events.length).toBe(1);
    const url = new URL(stream.events[0]?.data ?? '', gateway.url).href;
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    await send(url, { body: rpc(0, 'initialize', params) });
    await expect.poll(() => stream.messages().length).toBe(1);
    const answer = await send(url, { body: [echo(1, 'one'), echo(2, 'two')] });
    expect(answer.status).toBe(status);
    if (status === 202) await expect.poll(() => texts(stream.messages())).toMatchObject({ '1': 'one', '2': 'two' });
    else expect(answer.messages).toMatchObject([refused]);
  }
});

test('an id in flight is refused, but only in the same session', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const one = await sessionOf(gateway.mcp, {}, { version: '2025-03-26' });
  const two = await sessionOf(gateway.mcp, {});
  const running = send(gateway.mcp, { headers: one, body: slow('x', 2000) });
  await expect.poll(() => reference.world.journal).toEqual(['slow started x']);
  const again = await send(gateway.mcp, { headers: one, body: echo('x', 'again') });
  expect(again.messages).toMatchObject([
    { id: 'x', error: { code: -32600, message: expect.stringContaining('in flight') } },
  ]);
  expect(texts((await send(gateway.mcp, { headers: two, body: echo('x', 'other') })).messages)).toEqual({ x: 'other' });
  // 7 and "7" are different ids.
  const sevens = await send(gateway.mcp, { headers: one, body: [slow(7, 50), echo('7', 'text')] });
  expect(sevens.messages.filter(({ result }) => result)).toHaveLength(2);
  expect(texts((await running).messages)).toEqual({ x: 'slow 2000' });
  expect(texts((await send(gateway.mcp, { headers: one, body: echo('x', 'free') })).messages)).toEqual({ x: 'free' });
  const twice = await send(gateway.mcp, { headers: one, body: [slow('y', 50), slow('y', 50)] });
  expect(twice.messages.filter(({ error }) => error)).toMatchObject([{ id: 'y', ...refused }]);
  expect(twice.messages.filter(({ result }) => result)).toHaveLength(1);
});

test.each(['legacy', 'modern'] as const)('an id in flight is refused over stdio (%s)', async (era) => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const input = new PassThrough();
  const output = new PassThrough().setEncoding('utf8');
  let text = '';
  output.on('data', (chunk: string) => (text += chunk));
  const messages = () =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Json);
  const { service } = gateway.runtime.apis.gateway;
  const served = serveStream({ input, output, service, principal: localOwner, view: {}, id: 'test' });
  const params = { name: 'ref__slow', arguments: { ms: 300, tag: 'x' } };
  const request = era === 'legacy' ? rpc('x', 'tools/call', params) : modern('tools/call', params, { id: 'x' }).body;
  input.write(`${JSON.stringify(request)}\n${JSON.stringify(request)}\n`);
  await expect.poll(() => messages().length).toBe(2);
  expect(messages()).toMatchObject([
    { id: 'x', ...refused },
    { id: 'x', result: { content: [{ text: 'slow 300' }] } },
  ]);
  expect(reference.world.journal).toEqual(['slow started x', 'slow finished x']);
  served.close();
});

test('the session of another user is a 404', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using wire = await serve(gateway);
  const alice = await sessionOf(wire.mcp, as('alice'));
  const stolen = { ...alice, ...as('bob') };
  const invented = { ...stolen, 'mcp-session-id': '00000000-0000-4000-8000-000000000000' };
  const tries = async (headers: Record<string, string>) => [
    await send(wire.mcp, { headers, body: slow('stolen', 10) }),
    await send(wire.mcp, {
      headers,
      body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    }),
    await send(wire.mcp, { headers: { ...headers, accept: 'text/event-stream' } }),
    await send(wire.mcp, { headers: { ...headers, accept: 'text/event-stream', 'last-event-id': '1-0' } }),
    await send(wire.mcp, { headers, method: 'DELETE' }),
  ];
  const answers = await tries(stolen);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  // A session of another user looks the same as an unknown session.
  const unknown = await tries(invented);
  expect(answers.map(({ text }) => text)).toEqual(unknown.map(({ text }) => text));
  expect(reference.world.journal).toEqual([]);
  expect(said(await callIn(wire.mcp, alice, 'ref__echo', { text: 'mine' }))).toBe('mine');
});

test('the legacy SSE stream of another user accepts no messages', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using wire = await serve(gateway);
  using stream = await openEvents(`${wire.url}/sse`, { headers: as('alice') });
  await expect.poll(() => stream.events.length).toBe(1);
  const url = new URL(stream.events[0]?.data ?? '', wire.url).href;
  expect((await send(url, { headers: as('bob'), body: slow('stolen', 10) })).status).toBe(404);
  expect((await send(url, { headers: as('alice'), body: echo('own', 'mine') })).status).toBe(202);
  await expect.poll(() => texts(stream.messages())).toEqual({ own: 'mine' });
  expect(reference.world.journal).toEqual([]);
});

test('only the client that was asked can answer a question', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using wire = await serve(gateway);
  const capabilities = { elicitation: { form: {} } };
  const alice = await sessionOf(wire.mcp, as('alice'), { capabilities });
  const bob = await sessionOf(wire.mcp, as('bob'), { capabilities });
  const ask = rpc('ask', 'tools/call', { name: 'ref__ask', arguments: { kind: 'elicitation', tag: 'T' } });
  using stream = await openEvents(wire.mcp, { headers: alice, body: ask });
  await expect.poll(() => questions(stream)).toHaveLength(1);
  const answer = (value: string) => ({
    jsonrpc: '2.0',
    id: questions(stream)[0]?.id,
    result: { action: 'accept', content: { value } },
  });
  await send(wire.mcp, { headers: bob, body: answer('from bob') });
  await send(wire.mcp, { headers: { ...alice, ...as('bob') }, body: answer('from bob') });
  await send(wire.mcp, { headers: alice, body: answer('from alice') });
  expect(await stream.ended).toBe('cleanly');
  expect(texts(stream.messages().filter(({ id }) => id === 'ask')).ask).toContain('from alice');
});

const questions = (stream: EventStream) => stream.messages().filter(({ method }) => method === 'elicitation/create');

test('DELETE ends a session with its stream, calls and backend connections; later requests get 404', async () => {
  await using room = await scratch();
  await using reference = await startReference('http', 'legacy');
  const own = { ...odd('--roll', room.roll), isolation: 'session' };
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry, own } });
  const session = await sessionOf(gateway.mcp, {});
  using standing = await openEvents(gateway.mcp, { headers: session });
  const pid = Number((JSON.parse(said(await callIn(gateway.mcp, session, 'own__pids'))) as Json).pid);
  const running = openEvents(gateway.mcp, { headers: session, body: slow('long', 60_000) });
  await expect.poll(() => reference.world.journal).toEqual(['slow started long']);
  expect((await send(gateway.mcp, { method: 'DELETE', headers: session })).status).toBe(200);
  expect(await standing.ended).toBe('cleanly');
  expect(await (await running).ended).toBe('cleanly');
  await expect.poll(() => reference.world.journal).toEqual(['slow started long', 'slow cancelled long']);
  await expect.poll(() => alive([pid]), { timeout: 10_000 }).toEqual([]);
  for (const options of [{ body: rpc(1, 'tools/list') }, { body: notice }, {}, { method: 'DELETE' }]) {
    const { status } = await send(gateway.mcp, { ...options, headers: { accept: 'text/event-stream', ...session } });
    expect(status, JSON.stringify(options)).toBe(404);
  }
});

test('an idle session expires; one with an open stream or call does not', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using wire = await serve(gateway, { sessionIdleMs: 1000, keepAliveMs: 20 });
  const idle = await sessionOf(wire.mcp, {});
  const listening = await sessionOf(wire.mcp, {});
  using stream = await openEvents(wire.mcp, { headers: listening });
  const calling = await sessionOf(wire.mcp, {});
  const call = callIn(wire.mcp, calling, 'ref__slow', { ms: 2500, tag: 'busy' });
  await expect.poll(() => wire.sessions()).toBe(2);
  expect((await askIn(wire.mcp, idle, 'tools/list')).status).toBe(404);
  expect(said(await call)).toBe('slow 2500');
  expect((await askIn(wire.mcp, listening, 'tools/list')).status).toBe(200);
  stream.close();
  await expect.poll(() => wire.sessions()).toBe(0);
  expect((await askIn(wire.mcp, listening, 'tools/list')).status).toBe(404);
});

test('a refused initialize leaves no session', async () => {
  await using gateway = await startGateway({ mcpServers: {} });
  await using wire = await serve(gateway);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'new', version: '1' } };
  const body = rpc(1, 'initialize', params);
  const refusedOne = await send(wire.mcp, { headers: { 'mcp-protocol-version': '2024-01-01' }, body });
  expect(refusedOne.status).toBe(400);
  expect(wire.sessions()).toBe(0);
});

test('requests keep a session alive', async () => {
  await using gateway = await startGateway({ mcpServers: {} });
  await using wire = await serve(gateway, { sessionIdleMs: 1000, keepAliveMs: 20 });
  const session = await sessionOf(wire.mcp, {});
  const until = Date.now() + 2500;
  await expect
    .poll(
      async () => {
        expect((await askIn(wire.mcp, session, 'ping')).status).toBe(200);
        return Date.now();
      },
      { interval: 50 },
    )
    .toBeGreaterThan(until);
});

const MANY = 500;

test(`${MANY} concurrent sessions each work, get notified of changes, and leave nothing behind`, async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using wire = await serve(gateway);
  const everyone = Array.from({ length: MANY }, (_, index) => index);
  const inGroups = async <T>(work: (index: number) => Promise<T>): Promise<T[]> => {
    const done: T[] = [];
    for (let from = 0; from < MANY; from += 50)
      done.push(...(await Promise.all(everyone.slice(from, from + 50).map(work))));
    return done;
  };
  const sessions = await inGroups(() => sessionOf(wire.mcp, {}));
  expect(new Set(sessions.map((session) => session['mcp-session-id'])).size).toBe(MANY);
  const streams = await inGroups((index) => openEvents(wire.mcp, { headers: sessions[index] ?? {} }));
  expect(wire.sessions()).toBe(MANY);
  // All have a call in flight at the same time.
  const calls = everyone.map((index) =>
    callIn(wire.mcp, sessions[index] ?? {}, 'ref__slow', { ms: 1500, tag: String(index) }),
  );
  await expect.poll(() => reference.world.journal.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(MANY);
  expect((await Promise.all(calls)).map(said)).toEqual(everyone.map(() => 'slow 1500'));
  const echoes = await inGroups((index) =>
    callIn(wire.mcp, sessions[index] ?? {}, 'ref__echo', { text: `hello ${index}` }),
  );
  expect(echoes.map(said)).toEqual(everyone.map((index) => `hello ${index}`));
  await reference.world.toggle('tools');
  const told = () =>
    streams.filter((stream) => stream.messages().some(({ method }) => method === 'notifications/tools/list_changed'));
  await expect.poll(() => told().length, { timeout: 10_000 }).toBe(MANY);
  await inGroups((index) => send(wire.mcp, { method: 'DELETE', headers: sessions[index] ?? {} }));
  expect(wire.sessions()).toBe(0);
  await Promise.all(streams.map(({ ended }) => ended));
  await using client = await connectV1({ url: wire.url, home: '' });
  expect(textOf(await callTool(client, 'ref__echo', { text: 'the next one' }))).toBe('the next one');
});
