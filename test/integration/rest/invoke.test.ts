import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal, type ScriptedServer, startScripted } from '../../fixtures/scripted-server.ts';
import {
  type Json,
  type LocalReference,
  send,
  type SendOptions,
  startGateway,
  startReference,
  type TestGateway,
} from '../harness.ts';

let reference: LocalReference;
let scripted: ScriptedServer;
let gateway: TestGateway;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  const tools = ['wipe', 'silent', 'refuse', 'odd'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  scripted = await startScripted('legacy', {
    'tools/list': () => ({ tools }),
    'tools/call': ({ name }) => {
      if (name === 'silent') return new Promise<Json>(() => {});
      if (name === 'refuse') throw new Refusal(-32_050, 'out of order');
      if (name === 'odd') return { structuredContent: { n: 1 }, _tool_name: 'mine' };
      return { content: [{ type: 'text', text: 'wiped' }] };
    },
  });
  gateway = await startGateway({
    mcpServers: {
      ref: reference.entry,
      two: { ...reference.entry },
      odd: { ...scripted.entry, confirm: ['wipe'], callTimeout: '300ms' },
      human: { ...scripted.entry, confirm: ['wipe'], confirmBy: 'human' },
      down: { command: 'no-such-program' },
    },
    gateway: { routes: [{ tool: 'ref__whoami', when: { to: 'two' }, to: 'two' }] },
    limits: { tools: { ref__big: '1/min' } },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await scripted[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

const INVOKE = '/api/v1/mcp/invoke';

async function post(body: unknown, options: Omit<SendOptions, 'body'> & { path?: string } = {}) {
  const { path = INVOKE, ...rest } = options;
  const { status, headers, messages, text } = await send(`${gateway.url}${path}`, { body, ...rest });
  return { status, headers, text, body: messages[0] as Json };
}

const resultOf = ({ body }: { body: Json }) => body.result as Json & { content: { text: string }[] };

describe('a call', () => {
  test('of our own tool returns content, data and timing inside JSON-RPC', async () => {
    const answer = await post({ name: 'gateway_status', arguments: {} }, { headers: { 'x-request-id': 'req-123' } });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-request-id']).toBe('req-123');
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      id: 'req-123',
      result: {
        content: [{ type: 'text', text: expect.stringContaining('uptimeSeconds') as string }],
        structuredContent: expect.objectContaining({ tools: expect.any(Number) as number }) as Json,
        isError: false,
        _tool_name: 'gateway_status',
        _execution_time_ms: expect.any(Number) as number,
        _request_id: 'req-123',
      },
    });
  });

  test('may omit arguments, or send null', async () => {
    expect(await post({ name: 'gateway_status' })).toMatchObject({ status: 200 });
    expect(await post({ name: 'gateway_status', arguments: null })).toMatchObject({ status: 200 });
  });

  test('may be a JSON-RPC tools/call, whose id is in the result or error', async () => {
    const call = (name: string, id: number | string) =>
      post({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { text: 'hi' } } });
    expect((await call('ref__echo', 7)).body).toMatchObject({ id: 7, result: { content: [{ text: 'hi' }] } });
    expect((await call('ref__eco', 'x')).body).toMatchObject({ id: 'x', error: { code: -32602 } });
  });

  test('may name the tool in the path, with the arguments as the body', async () => {
    const answer = await post({ text: 'hi' }, { path: '/api/v1/mcp/tools/ref__echo/invoke' });
    expect(resultOf(answer)).toMatchObject({ content: [{ text: 'hi' }], isError: false, _tool_name: 'ref__echo' });
    const alias = await post({ text: 'hi' }, { path: '/api/v1/mcp/tools/ref:echo/invoke' });
    expect(resultOf(alias)._tool_name).toBe('ref__echo');
  });

  test('of a foreign tool keeps every key of the result', async () => {
    const { content, structuredContent, isError, ...rest } = resultOf(await post({ name: 'ref__vendor' }));
    expect(content).toMatchObject([{ 'x-vendor': { nested: [1, null, 'two'] }, _meta: { 'acme/block': 1 } }]);
    expect({ structuredContent, isError }).toEqual({ structuredContent: { any: { thing: [true] } }, isError: false });
    expect(rest).toMatchObject({ 'x-result': 'kept', _meta: { 'acme/result': { deep: true } } });
  });

  test('gets the documented form even if the result lacks content or uses our keys', async () => {
    expect(resultOf(await post({ name: 'odd__odd' }))).toEqual({
      content: [],
      structuredContent: { n: 1 },
      isError: false,
      _tool_name: 'odd__odd',
      _execution_time_ms: expect.any(Number) as number,
      _request_id: expect.any(String) as string,
    });
  });

  test('follows the routes', async () => {
    const answer = await post({ name: 'ref__whoami', arguments: { to: 'two' } });
    expect(answer.status).toBe(200);
    const { events } = await gateway.stored({ type: 'tool.call_completed', limit: 50 });
    expect(events.some(({ data }) => data.tool === 'two__whoami')).toBe(true);
  });

  test('forwards the trace and returns it', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: 'acme=1' };
    const answer = await post({ name: 'ref__whoami' }, { headers });
    const { _meta } = JSON.parse(resultOf(answer).content[0]?.text ?? '') as { _meta: Json };
    expect(_meta).toMatchObject({ traceparent: expect.stringContaining(traceId) as string, tracestate: 'acme=1' });
    expect(answer.headers.traceparent).toContain(traceId);
    const traced = async () => (await gateway.stored({ trace: traceId, limit: 10 })).events;
    await expect
      .poll(async () => (await traced()).map(({ event_type }) => event_type).sort())
      .toEqual(['tool.call_completed', 'tool.call_received']);
  });

  test('is cancelled when its client disconnects', async () => {
    const abort = new AbortController();
    const sent = post({ name: 'ref__slow', arguments: { ms: 20_000, tag: 'rest' } }, { signal: abort.signal }).catch(
      (error: unknown) => error,
    );
    await expect.poll(() => reference.world.journal).toContain('slow started rest');
    abort.abort();
    await sent;
    await expect.poll(() => reference.world.journal).toContain('slow cancelled rest');
  });
});

describe('confirmation', () => {
  const wipe = { name: 'odd__wipe', arguments: { id: 1 } };
  const tokenIn = (answer: { body: Json }) =>
    ((resultOf(answer)._meta as Json)['sluice/error'] as { confirm: string }).confirm;
  const calls = () => scripted.received.filter(({ method }) => method === 'tools/call').length;

  test('is a 409 with a token; the call with the token runs once, and the server never sees the token', async () => {
    const before = calls();
    const first = await post(wipe);
    expect(first.status).toBe(409);
    expect(resultOf(first)).toMatchObject({
      isError: true,
      _meta: { 'sluice/error': { code: 'confirmation_required' } },
    });
    expect(calls()).toBe(before);
    const confirmed = { ...wipe, confirm: tokenIn(first) };
    expect(await post(confirmed)).toMatchObject({ status: 200, body: { result: { content: [{ text: 'wiped' }] } } });
    expect(scripted.received.at(-1)?.params.arguments).toEqual({ id: 1 });
    expect((await post(confirmed)).status).toBe(409);
    expect(calls()).toBe(before + 1);
  });

  test('tokens work only for the same arguments', async () => {
    const token = tokenIn(await post(wipe));
    expect((await post({ ...wipe, arguments: { id: 2 }, confirm: token })).status).toBe(409);
  });

  test('tokens can be among the arguments if the path names the tool', async () => {
    const path = '/api/v1/mcp/tools/odd__wipe/invoke';
    const token = tokenIn(await post({ id: 3 }, { path }));
    expect((await post({ id: 3, confirm: token }, { path })).status).toBe(200);
  });

  test('by a person takes place in the console: the token counts after that', async () => {
    const wanted = { name: 'human__wipe', arguments: {} };
    const answer = await post(wanted);
    expect(answer.status).toBe(409);
    expect(resultOf(answer).content[0]?.text).toContain('must be approved by a person');
    const { confirm } = (resultOf(answer)._meta as Json)['sluice/error'] as { confirm: string };
    const again = await post({ ...wanted, confirm });
    expect(again.status).toBe(409);
    expect(resultOf(again).content[0]?.text).toContain('still waits for a person');
  });
});

describe('failures', () => {
  test.each<[string, Json, number, string]>([
    [
      'a tool that reports an error itself',
      { name: 'ref__fail', arguments: { kind: 'isError' } },
      200,
      'failed on request',
    ],
    ['wrong arguments of our own tool', { name: 'gateway_status', arguments: { limit: 0 } }, 400, 'was not called'],
    ['a server that is too slow', { name: 'odd__silent' }, 504, 'odd:'],
    ['an unknown server to restart', { name: 'gateway_restart_server', arguments: { name: 'x' } }, 404, 'No server x'],
  ])('%s is a result with isError', async (_, call, status, text) => {
    const answer = await post(call);
    expect(answer.status).toBe(status);
    expect(resultOf(answer)).toMatchObject({
      isError: true,
      _tool_name: call.name,
      _execution_time_ms: expect.any(Number) as number,
      _request_id: answer.headers['x-request-id'],
    });
    expect(resultOf(answer).content[0]?.text).toContain(text);
  });

  test('a rate-limited tool says when to retry', async () => {
    const call = { name: 'ref__big', arguments: { bytes: 1 } };
    expect((await post(call)).status).toBe(200);
    const again = await post(call);
    expect(again.status).toBe(429);
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('a protocol error of the server is a 502 with its message', async () => {
    const answer = await post({ name: 'odd__refuse' });
    expect(answer).toMatchObject({ status: 502, body: { error: { code: -32_050, message: 'out of order' } } });
  });

  test('a server that asks the user gets no answer, and its tool fails', async () => {
    const answer = await post({ name: 'ref__test_elicitation', arguments: { message: 'name?' } });
    expect(answer.status).toBe(502);
    expect((answer.body.error as Json).message).toContain('elicitation');
  });

  test.each<[string, unknown, SendOptions, number, number, string]>([
    ['no such tool', { name: 'nope' }, {}, 404, -32602, 'No tool nope'],
    ['a server that never started', { name: 'down__x' }, {}, 404, -32602, 'The server down is not running'],
    ['no name', { arguments: {} }, {}, 400, -32602, 'Name the tool'],
    ['a name that is a number', { name: 7 }, {}, 400, -32602, 'Name the tool'],
    [
      'arguments under another name',
      { name: 'gateway_status', params: { server: 'ref' } },
      {},
      400,
      -32602,
      'This call: unknown key "params". Known keys: name, arguments, confirm.',
    ],
    ['arguments that are a list', { name: 'ref__echo', arguments: [] }, {}, 400, -32602, '"arguments" must be'],
    ['a token that is not a string', { name: 'ref__echo', confirm: true }, {}, 400, -32602, '"confirm" must be'],
    [
      'another JSON-RPC method',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      {},
      400,
      -32602,
      'supports only tools/call',
    ],
    ['a body that is not JSON', '{"name":', {}, 400, -32700, 'The body is not valid JSON'],
    ['a body that is not an object', '[]', {}, 400, -32602, 'must be a JSON object'],
    ['no body', '', {}, 400, -32700, 'The body is not valid JSON'],
    [
      'a form',
      'name=x',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      -32600,
      'Send JSON',
    ],
    ['another HTTP method', undefined, { method: 'GET' }, 405, -32600, 'Use POST'],
    ['a body that is too large', 'x'.repeat(16 * 1024 * 1024 + 1), {}, 413, -32600, 'larger than 16777216 bytes'],
    ['a foreign host', { name: 'ref__echo' }, { headers: { host: 'evil.example' } }, 403, -32600, 'Host'],
    ['a foreign page', { name: 'ref__echo' }, { headers: { origin: 'https://evil.example' } }, 403, -32600, 'Origin'],
  ])('%s is a JSON-RPC error', async (_, body, options, status, code, message) => {
    const answer = await post(body, options);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect((answer.body.error as Json).message).toContain(message);
    if (status === 405) expect(answer.headers.allow).toBe('POST');
  });

  test('an unsafe x-request-id is replaced', async () => {
    const answer = await post({ name: 'gateway_status' }, { headers: { 'x-request-id': 'a b{}"' } });
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });
});

test('a read-only gateway calls no tool that changes things', async () => {
  await using reading = await startGateway({ mcpServers: { ref: reference.entry }, gateway: { readOnly: true } });
  const call = (name: string, args: Json) => send(`${reading.url}${INVOKE}`, { body: { name, arguments: args } });
  const refused = await call('ref__slow', { ms: 1, tag: 'read-only' });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('this gateway is read-only');
  expect(reference.world.journal).not.toContain('slow started read-only');
  expect((await call('ref__echo', { text: 'hi' })).status).toBe(200);
});

test('a call in flight when the gateway stops gets a 503', async () => {
  const stopping = await startGateway({ mcpServers: { ref: reference.entry } });
  const body = { name: 'ref__slow', arguments: { ms: 20_000, tag: 'stopped' } };
  const sent = send(`${stopping.url}${INVOKE}`, { body });
  await expect.poll(() => reference.world.journal).toContain('slow started stopped');
  await stopping[Symbol.asyncDispose]();
  const { status, text } = await sent;
  expect(status).toBe(503);
  expect(text).toContain('The gateway is stopping');
});

test('HEAD answers like GET, without the body', async () => {
  const { status, text, headers } = await send(`${gateway.url}/api/v1/mcp/tools`, { method: 'HEAD' });
  expect({ status, text, type: headers['content-type'] }).toEqual({ status: 200, text: '', type: 'application/json' });
});
