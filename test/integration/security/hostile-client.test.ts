import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localOwner } from '../../../src/kernel/principal.ts';
import { serveStream } from '../../../src/wire/stream.ts';
import { hostileJson, hostileName, hostileObject } from '../../support/hostile.ts';
import {
  type Json,
  modern,
  openSession,
  rpc,
  send,
  startGateway,
  startReference,
  type TestGateway,
} from '../harness.ts';

let stack: AsyncDisposableStack;
let gateway: TestGateway;
let session: Record<string, string>;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const good = stack.use(await startReference('http', 'legacy'));
  const routes = [{ tool: '*', when: { 'text.constructor': '*a*', text: 'nobody-says-this' }, to: 'good' }];
  gateway = stack.use(await startGateway({ mcpServers: { good: good.entry }, gateway: { routes } }));
  session = await openSession(gateway.mcp);
});
afterAll(() => stack.disposeAsync());

const method = fc.oneof(
  fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/read',
    'resources/subscribe',
    'prompts/get',
    'completion/complete',
    'logging/setLevel',
    'tasks/get',
    'tasks/list',
    'server/discover',
    'notifications/cancelled',
    'notifications/initialized',
  ),
  hostileName,
);
const key = fc.constantFrom(
  'name',
  'arguments',
  'uri',
  'cursor',
  'level',
  'ref',
  'taskId',
  '_meta',
  'requestState',
  'inputResponses',
  'protocolVersion',
  'capabilities',
  'clientInfo',
);
const params = fc.oneof(fc.dictionary(key, hostileJson, { maxKeys: 5 }), hostileObject, hostileJson);
/** A call of an existing tool with random arguments. */
const call = fc.record({
  name: fc.constantFrom(
    'good__echo',
    'good:echo',
    'gateway_status',
    'get_events',
    'find_tools',
    'good_list',
    'good_call',
  ),
  arguments: fc.oneof(
    fc.dictionary(fc.constantFrom('text', 'query', 'tool', 'params', 'server', 'limit', 'confirm'), hostileJson),
    hostileObject,
  ),
});
const message = fc.oneof(
  fc.record(
    { jsonrpc: fc.constant('2.0'), id: fc.oneof(fc.nat(), hostileJson), method, params },
    { requiredKeys: ['jsonrpc', 'method'] },
  ),
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat(), method: fc.constant('tools/call'), params: call }),
);
const body = fc.oneof(
  { weight: 6, arbitrary: message.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((batch) => JSON.stringify(batch)) },
  { weight: 1, arbitrary: hostileJson.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: message.map((value) => JSON.stringify(value).slice(0, -2)) },
  { weight: 1, arbitrary: fc.constant(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) },
);

const inTime = () => AbortSignal.timeout(20_000);

/** Checks that another client is still served. */
async function expectServed(): Promise<void> {
  const { messages } = await send(gateway.mcp, {
    headers: session,
    body: rpc(1, 'tools/call', { name: 'good__echo', arguments: { text: 'hi' } }),
  });
  expect(JSON.stringify(messages)).toContain('hi');
}

test('any POST to /mcp, in either era, is answered or refused', async () => {
  const own = await openSession(gateway.mcp);
  await fc.assert(
    fc.asyncProperty(body, fc.option(method), params, async (text, inModern, more) => {
      const asked = inModern === null ? undefined : modern(inModern, { name: 'good__echo', ...(more as Json) });
      const { status, headers } = await send(gateway.mcp, {
        headers: asked ? encoded(asked.headers) : own,
        body: asked ? asked.body : text,
        signal: inTime(),
      });
      expect(status).toBeLessThan(500);
      expect(headers['content-type'] ?? 'application/json').toMatch(/json|event-stream/);
    }),
    { numRuns: 80 },
  );
  await expectServed();
});

/** Replaces characters that a header cannot contain. */
const encoded = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, '?')]));

test('any POST to the REST API is answered or refused', async () => {
  const invocation = fc.oneof(
    body,
    call.map((value) => JSON.stringify(value)),
    hostileObject.map((value) => JSON.stringify({ name: 'good__echo', ...value })),
  );
  const path = fc.oneof(
    fc.constantFrom('/api/v1/mcp/invoke', '/api/v1/mcp/tools', '/api/v1/events', '/api/v1/status'),
    hostileName.map((name) => `/api/v1/mcp/tools/${encodeURIComponent(name.toWellFormed())}`),
    hostileName.map(
      (name) =>
        `/api/v1/mcp/tools?${encodeURIComponent(name.toWellFormed())}=1&query=${encodeURIComponent(name.toWellFormed())}`,
    ),
    hostileName.map((name) => `/api/v1/mcp/tools?toolset=${encodeURIComponent(name.toWellFormed())}`),
  );
  await fc.assert(
    fc.asyncProperty(path, fc.option(invocation), async (at, text) => {
      const { status, headers } = await send(`${gateway.url}${at}`, {
        ...(text !== null && { body: text }),
        signal: inTime(),
      });
      // 502 means that the backend answered with an error.
      expect([status < 500 || status === 502, status]).toEqual([true, status]);
      expect(headers['content-type']).toMatch(/json/);
    }),
    { numRuns: 80 },
  );
  await expectServed();
});

test('the next request on a stream is answered, whatever was written before', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const { service } = gateway.runtime.apis.gateway;
  const served = serveStream({ input, output, service, principal: localOwner, view: {}, id: 'hostile' });
  const answers = new Map<unknown, Json>();
  let unread = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (unread + chunk.toString()).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) for (const answer of [JSON.parse(line) as Json].flat()) answers.set(answer.id, answer);
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(body, hostileName), { maxLength: 10 }), async (lines) => {
      for (const line of lines) input.write(`${line.replace(/[\r\n]/g, ' ')}\n`);
      const id = `ping-${++count}`;
      input.write(`${JSON.stringify(rpc(id, 'ping'))}\n`);
      await expect.poll(() => answers.get(id), { interval: 5 }).toMatchObject({ result: {} });
    }),
    { numRuns: 60 },
  );
  served.close();
  await expectServed();
});
