import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { localOwner } from '../../../src/kernel/principal.ts';
import { serveStream } from '../../../src/wire/stream.ts';
import { meta } from '../../../src/wire/versions.ts';
import {
  callTool,
  connectV1,
  connectV2,
  type Json,
  modern,
  rpc,
  send,
  startGateway,
  startReference,
  textOf,
} from '../harness.ts';
import { cuttable } from './cuttable.ts';
import { type EventStream, openEvents } from '../../support/event-stream.ts';
import { sessionOf } from '../../support/exchange.ts';
import { listen } from '../../support/listening.ts';
import { scratch } from '../../support/processes.ts';
import { serve as serveApart } from '../../support/serve-process.ts';
import { serve } from '../../support/served-wire.ts';

const slow = (ms: number, id: number | string = 'slow', progressToken?: string) =>
  rpc(id, 'tools/call', {
    name: 'ref__slow',
    arguments: { ms, tag: String(id) },
    ...(progressToken !== undefined && { _meta: { progressToken } }),
  });

function slowModern(ms: number, progressToken?: string) {
  const given = { ...(progressToken !== undefined && { meta: { progressToken } }), id: 'slow' };
  return modern('tools/call', { name: 'ref__slow', arguments: { ms, tag: 'modern' } }, given);
}

/** Every kind of stream that a client can open. */
const streams: Record<string, (url: string) => Promise<EventStream>> = {
  'a subscription of 2026': async (url) =>
    openEvents(url, modern('subscriptions/listen', { notifications: { toolsListChanged: true } })),
  'a call of 2026': async (url) => openEvents(url, slowModern(60_000)),
  'the standing stream of a session': async (url) => openEvents(url, { headers: await sessionOf(url, {}) }),
  'a call in a session': async (url) => openEvents(url, { headers: await sessionOf(url, {}), body: slow(60_000) }),
  'a call without a session': async (url) => openEvents(url, { body: slow(60_000) }),
  'legacy SSE': async (url) => openEvents(new URL('/sse', url).href),
};

test.each(Object.keys(streams))('%s is kept alive and tells proxies not to buffer it', async (kind) => {
  await using reference = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using wire = await serve(gateway, { keepAliveMs: 30 });
  using stream = await (streams[kind] as (url: string) => Promise<EventStream>)(wire.mcp);
  expect(stream.status).toBe(200);
  expect(stream.headers['content-type']).toContain('text/event-stream');
  expect(stream.headers['x-accel-buffering']).toBe('no');
  expect(stream.headers['cache-control']).toContain('no-cache');
  const comments = () => stream.text().match(/^: keep-alive$/gm)?.length ?? 0;
  await expect.poll(comments).toBeGreaterThanOrEqual(3);
});

test('a client that accepts only JSON gets no keep-alives', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using wire = await serve(gateway, { keepAliveMs: 30 });
  const { headers, body } = slowModern(300, 'token');
  const answer = await send(wire.mcp, { headers: { ...headers, accept: 'application/json' }, body });
  expect(answer.headers['content-type']).toContain('application/json');
  expect(answer.messages).toMatchObject([{ id: 'slow', result: { content: [{ text: 'slow 300' }] } }]);
});

test('keep-alives do not disturb progress and answer', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using wire = await serve(gateway, { keepAliveMs: 30 });
  using stream = await openEvents(wire.mcp, slowModern(400, 'token'));
  expect(await stream.ended).toBe('cleanly');
  expect(stream.text()).toContain(': keep-alive');
  expect(steps(stream)).toEqual(ten);
  expect(stream.messages().at(-1)).toMatchObject({ id: 'slow', result: { content: [{ text: 'slow 400' }] } });
});

test('shutdown answers subscriptions and ends every stream cleanly', async () => {
  await using reference = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const request = modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'sub-7' });
  using subscription = await openEvents(gateway.mcp, request);
  using standing = await openEvents(gateway.mcp, { headers: await sessionOf(gateway.mcp, {}) });
  using sse = await openEvents(gateway.sse);
  await gateway[Symbol.asyncDispose]();
  expect(await Promise.all([subscription.ended, standing.ended, sse.ended])).toEqual(['cleanly', 'cleanly', 'cleanly']);
  expect(subscription.messages().at(-1)).toMatchObject({
    id: 'sub-7',
    result: { resultType: 'complete', _meta: { [meta.subscriptionId]: 'sub-7' } },
  });
});

const inFlight = ['a call of 2026', 'a call in a session', 'a call without a session'].flatMap((kind) =>
  [false, true].map((streaming) => ({ kind, streaming, how: streaming ? 'whose stream is open' : 'that waits' })),
);

test.each(inFlight)('at shutdown $kind $how is told to try again', async ({ kind, streaming }) => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const token = streaming ? 'token' : undefined;
  const headers = kind === 'a call in a session' ? await sessionOf(gateway.mcp, {}) : {};
  const request = kind === 'a call of 2026' ? slowModern(5000, token) : { headers, body: slow(5000, 'slow', token) };
  const answering = openEvents(gateway.mcp, request);
  if (streaming) await expect.poll(async () => steps(await answering).length).toBeGreaterThan(0);
  await expect.poll(() => reference.world.journal).toHaveLength(1);
  const [stream] = await Promise.all([answering, gateway[Symbol.asyncDispose]()]);
  expect(await stream.ended).toBe('cleanly');
  const answer = stream.messages().at(-1) ?? (JSON.parse(stream.text()) as Json);
  expect(answer.id).toBe('slow');
  expect(JSON.stringify(answer)).toContain('"retryable":true');
  await expect.poll(() => reference.world.journal.at(-1)).toContain('slow cancelled');
});

test('shutdown over stdio answers subscriptions', async () => {
  await using gateway = await startGateway({ mcpServers: {} });
  const input = new PassThrough();
  const output = new PassThrough().setEncoding('utf8');
  let text = '';
  output.on('data', (chunk: string) => (text += chunk));
  const { service } = gateway.runtime.apis.gateway;
  const served = serveStream({ input, output, service, principal: localOwner, view: {}, id: 'test' });
  const { body } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'sub-8' });
  input.write(`${JSON.stringify(body)}\n`);
  await expect.poll(() => text).toContain('acknowledged');
  served.close();
  await served.closed;
  const last = JSON.parse(text.trim().split('\n').at(-1) ?? '') as Json;
  expect(last).toMatchObject({ id: 'sub-8', result: { resultType: 'complete' } });
});

test('the command stops cleanly while streams and calls are open', async () => {
  await using reference = await startReference('http', 'legacy');
  await using place = await scratch();
  await using gateway = await serveApart(place.directory, { mcpServers: { ref: reference.entry } });
  await gateway.ready();
  const url = `${gateway.url}/mcp`;
  using subscription = await listen(url, 'modern');
  using standing = await listen(url, 'legacy');
  using call = await openEvents(url, slowModern(5000, 'token'));
  await expect.poll(() => steps(call).length).toBeGreaterThan(0);
  expect(await gateway.end('SIGTERM')).toBe(0);
  for (const stream of [subscription.stream, standing.stream, call]) expect(await stream.ended).toBe('cleanly');
  expect(subscription.stream.messages().at(-1)).toHaveProperty('result');
});

const ten = Array.from({ length: 10 }, (_, index) => index + 1);

const stepsIn = (messages: Json[]) =>
  messages
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => (params as { progress: number }).progress);
const steps = (stream: EventStream) => stepsIn(stream.messages());
const lastId = (stream: EventStream) => stream.events.findLast(({ id }) => id !== undefined)?.id ?? '';

test.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
  'a %s client resumes the lost stream of a call without gaps or duplicates',
  async (version) => {
    await using reference = await startReference('http', 'modern');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    const session = await sessionOf(gateway.mcp, {}, { version });
    const seen: Json[] = [];
    let stream = await openEvents(gateway.mcp, { headers: session, body: slow(1500, 'long', 'token') });
    for (const until of [2, 5]) {
      await expect.poll(() => stepsIn([...seen, ...stream.messages()]).length).toBeGreaterThanOrEqual(until);
      stream.close();
      seen.push(...stream.messages());
      stream = await openEvents(gateway.mcp, { headers: { ...session, 'last-event-id': lastId(stream) } });
      expect(stream.status).toBe(200);
    }
    expect(await stream.ended).toBe('cleanly');
    seen.push(...stream.messages());
    expect(stepsIn(seen)).toEqual(ten);
    expect(seen.filter(({ id }) => id === 'long')).toMatchObject([{ result: { content: [{ text: 'slow 1500' }] } }]);
    expect(reference.world.journal).toEqual(['slow started long', 'slow finished long']);
  },
);

test('a client that resumes the stream of a finished call gets everything it missed', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const session = await sessionOf(gateway.mcp, {});
  using first = await openEvents(gateway.mcp, { headers: session, body: slow(300, 'done', 'token') });
  await expect.poll(() => steps(first).length).toBeGreaterThan(0);
  first.close();
  await expect.poll(() => reference.world.journal).toContain('slow finished done');
  const again = () => openEvents(gateway.mcp, { headers: { ...session, 'last-event-id': lastId(first) } });
  await expect
    .poll(async () => {
      using replay = await again();
      await replay.ended;
      return replay.messages().at(-1)?.id;
    })
    .toBe('done');
  using replay = await again();
  expect(await replay.ended).toBe('cleanly');
  expect([...steps(first), ...steps(replay)]).toEqual(ten);
});

test('resuming a stream on another connection closes the old one', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const session = await sessionOf(gateway.mcp, {});
  using first = await openEvents(gateway.mcp, { headers: session, body: slow(5000, 'moved', 'token') });
  await expect.poll(() => lastId(first)).not.toBe('');
  const id = lastId(first);
  using second = await openEvents(gateway.mcp, { headers: { ...session, 'last-event-id': id } });
  expect(await first.ended).toBe('cleanly');
  expect(second.status).toBe(200);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'moved' } };
  await send(gateway.mcp, { headers: session, body: cancelled });
  expect(await second.ended).toBe('cleanly');
});

test('an event id of one session replays nothing in another', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const mine = await sessionOf(gateway.mcp, {});
  const yours = await sessionOf(gateway.mcp, {});
  using first = await openEvents(gateway.mcp, { headers: mine, body: slow(200, 'mine', 'token') });
  await first.ended;
  const [{ id = '' } = {}] = first.events;
  using other = await openEvents(gateway.mcp, { headers: { ...yours, 'last-event-id': id } });
  await send(gateway.mcp, { method: 'DELETE', headers: yours });
  await other.ended;
  expect(other.messages()).toEqual([]);
});

test('SDK clients resume a call by themselves when its stream is lost', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  await using way = await cuttable(gateway.url);
  for (const connected of [connectV1, connectV2]) {
    await using client = await connected({ url: way.url, home: '' });
    const progress: number[] = [];
    const calling = callTool(
      client,
      'ref__slow',
      { ms: 1000 },
      { onprogress: (step) => void progress.push(step.progress) },
    );
    await expect.poll(() => progress.length).toBeGreaterThanOrEqual(3);
    way.cut();
    expect(textOf(await calling)).toBe('slow 1000');
    expect(progress).toEqual(ten);
  }
});

test('a reopened standing stream delivers exactly what was missed', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const session = await sessionOf(gateway.mcp, {});
  const watched = (name: string) => `test://template/${name}/data`;
  for (const name of ['a', 'b', 'c', 'd']) {
    await send(gateway.mcp, { headers: session, body: rpc(name, 'resources/subscribe', { uri: watched(name) }) });
  }
  const open = (last?: string) =>
    openEvents(gateway.mcp, { headers: { ...session, ...(last !== undefined && { 'last-event-id': last }) } });
  const updates = (stream: EventStream) =>
    stream
      .messages()
      .filter(({ method }) => method === 'notifications/resources/updated')
      .map(({ params }) => (params as Json).uri);
  const touch = (name: string) => reference.world.touch(watched(name));

  using first = await open();
  await touch('a');
  await expect.poll(() => updates(first)).toEqual([watched('a')]);
  first.close();
  await touch('b');
  // Poll: the gateway gets the notice asynchronously, and a later call to the same backend does not tell when.
  using second = await open(lastId(first));
  await expect.poll(() => updates(second)).toEqual([watched('b')]);
  await touch('c');
  await expect.poll(() => updates(second)).toEqual([watched('b'), watched('c')]);
  second.close();
  using third = await open();
  await touch('d');
  await expect.poll(() => updates(third)).toEqual([watched('d')]);
  using fourth = await open(lastId(second));
  await expect.poll(() => updates(fourth)).toEqual([watched('d')]);
  expect(await third.ended).toBe('cleanly');
});
