import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import {
  type Json,
  type LocalReference,
  modern,
  rpc,
  send,
  startGateway,
  startReference,
  type TestGateway,
} from '../harness.ts';

let reference: LocalReference;
let gateway: TestGateway;
let reading: TestGateway;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  const config = {
    auth: { mode: 'keys' },
    mcpServers: { ref: reference.entry, careful: { ...reference.entry, confirm: ['echo'] }, other: reference.entry },
    limits: { tools: { ref__echo: '1/min' } },
  };
  gateway = await startGateway(config);
  reading = await startGateway({ ...config, gateway: { readOnly: true } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reading[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

/** The outcome of a call, without values that differ each time. */
interface Verdict {
  readonly result: unknown;
  readonly code: unknown;
  readonly recorded: unknown;
}

const CHANGING = /[\da-f]{8}-[\da-f-]{27}|(?<="waits":")[\w-]+|(?<=again in )\d+|(?<="retryAfter":)\d+/g;

const steady = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value).replace(CHANGING, '0'));

/** The events of one trace, without durations and sizes. */
async function recorded({ stored }: TestGateway, trace: string): Promise<unknown> {
  const { events } = await stored({ trace, limit: 10 });
  return events
    .toSorted((one, other) => one.event_type.localeCompare(other.event_type))
    .map(({ event_type, data: { ms: _, bytes: __, ...data } }) => [event_type, data]);
}

let traces = 0;
const nextTrace = () => `4bf92f3577b34da6a3ce929d${String(++traces).padStart(8, '0')}`;

async function overRest(at: TestGateway, key: string, name: string, args: Json): Promise<Verdict & { status: number }> {
  const trace = nextTrace();
  const { status, messages } = await send(`${at.url}/api/v1/mcp/invoke`, {
    headers: { 'x-api-key': key, traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    body: { name, arguments: args },
  });
  const { result, error } = messages[0] as { result?: Json; error?: Json };
  const { _tool_name, _execution_time_ms, _request_id, ...own } = result ?? {};
  return {
    status,
    result: result && steady(own),
    code: error?.code,
    recorded: steady(await recorded(at, trace)),
  };
}

async function overMcp(at: TestGateway, key: string, name: string, args: Json, isModern: boolean): Promise<Verdict> {
  const trace = nextTrace();
  const headers = { 'x-api-key': key, traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  const params = { name, arguments: args };
  const request = isModern ? modern('tools/call', params) : { headers: {}, body: rpc(1, 'tools/call', params) };
  const { messages } = await send(at.mcp, { ...request, headers: { ...request.headers, ...headers } });
  const { result, error } = messages[0] as { result?: Json; error?: Json };
  const { resultType: _, ...own } = result ?? {};
  return { result: result && steady(own), code: error?.code, recorded: steady(await recorded(at, trace)) };
}

test.each<[string, string, Json, number, string?]>([
  ['an unknown tool', 'ref__nope', {}, 404],
  ['a tool that is hidden from the key', 'gateway_add_server', { name: 'x', server: {} }, 404],
  ['a tool outside the globs of the key', 'other__echo', { text: 'x' }, 404],
  ['a tool whose scope the key lacks', 'ref__slow', { ms: 1, tag: 'denied' }, 403],
  ['a tool that changes things, on a read-only gateway', 'ref__fail', {}, 403, 'read-only'],
  ['a rate-limited tool', 'ref__echo', { text: 'x' }, 429],
  ['a tool that needs confirmation', 'careful__echo', { text: 'x' }, 409],
  ['invalid arguments', 'gateway_status', { limit: 0 }, 400],
])('%s: REST and MCP give the same outcome', async (_, name, args, status, place) => {
  const at = place === 'read-only' ? reading : gateway;
  const scopes = ['tools:read', 'ref:read', 'careful:read', 'health:check'];
  const tools = ['ref__*', 'careful__*', 'gateway_*'];
  const grant = { name: `for ${name}`, scopes, tools, createdAt: new Date().toISOString(), createdBy: 'test' };
  const { key } = await createKey(at.runtime.store.keys, grant);
  if (name === 'ref__echo') expect((await overRest(at, key, name, args)).status).toBe(200);
  const { status: given, ...rest } = await overRest(at, key, name, args);
  expect(given).toBe(status);
  for (const isModern of [false, true]) expect(await overMcp(at, key, name, args, isModern)).toEqual(rest);
});
