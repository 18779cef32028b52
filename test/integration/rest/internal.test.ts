import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InternalListener, openInternalListener } from '../../../src/server/internal-listener.ts';
import { type Json, type LocalReference, send, startGateway, startReference, type TestGateway } from '../harness.ts';

let reference: LocalReference;
let gateway: TestGateway;
let directory: string;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  directory = await mkdtemp(join(tmpdir(), 'sluice-internal-'));
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

type Settings = ReturnType<Parameters<typeof openInternalListener>[0]['settings']>;
type Address = { socket: string } | { host: string; port: number };

const execute = ['tools:read', 'tools:execute'];

function settingsOf(internal: Address | false, scopes: string[] = execute): Settings {
  return { internal: internal && { ...internal, scopes }, allowedHosts: [], allowedOrigins: [] };
}

async function open(settings: Settings | (() => Settings), warnings: string[] = []): Promise<InternalListener> {
  const listener = await openInternalListener({
    version: '1.2.3',
    ready: () => true,
    rest: { gateway: gateway.runtime.apis.gateway },
    settings: typeof settings === 'function' ? settings : () => settings,
    warn: (line) => warnings.push(line),
  });
  return listener as InternalListener;
}

/** A request over the socket, where any Host is accepted. */
function ask(socketPath: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        socketPath,
        path,
        method: text === undefined ? 'GET' : 'POST',
        headers: { host: 'sluice', 'content-type': 'application/json' },
        agent: false,
      },
      (response) => {
        json(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer as Json }), reject);
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

const TOOLS = '/api/v1/mcp/tools/internal';
const INVOKE = '/api/v1/mcp/invoke/internal';
const echo = { name: 'ref__echo', arguments: { text: 'hi' } };
const socketNamed = (name: string) => join(directory, name);

test('is off by default', async () => {
  expect(await open(settingsOf(false))).toBeUndefined();
});

describe('on a socket', () => {
  test('with mode 0600, tools are listed and called without the JSON-RPC wrapper', async () => {
    const socket = socketNamed('a.sock');
    await using listener = await open(settingsOf({ socket }));
    expect(listener.at).toBe(socket);
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    const { body } = await ask(socket, `${TOOLS}?source=ref&limit=1`);
    expect(body).toMatchObject({ tools: [{ source: 'ref', parameters: {} }], total: expect.any(Number) as number });
    const called = await ask(socket, INVOKE, echo);
    expect(called).toMatchObject({
      status: 200,
      body: {
        content: [{ type: 'text', text: 'hi' }],
        isError: false,
        _tool_name: 'ref__echo',
        _execution_time_ms: expect.any(Number) as number,
        _request_id: expect.any(String) as string,
      },
    });
    expect(called.body).not.toHaveProperty('jsonrpc');
  });

  test('the umask of the process is restored', async () => {
    const before = process.umask();
    await using _ = await open(settingsOf({ socket: socketNamed('umask.sock') }));
    expect(process.umask()).toBe(before);
  });

  test('only the internal routes and /health are served', async () => {
    const socket = socketNamed('b.sock');
    await using _ = await open(settingsOf({ socket }));
    expect(await ask(socket, '/health')).toMatchObject({ status: 200, body: { status: 'healthy', version: '1.2.3' } });
    const others = ['/', '/mcp', '/ready', '/metrics', '/openapi.json', '/api/v1/mcp/tools', '/api/v1/status'];
    for (const path of others) expect([path, (await ask(socket, path)).status]).toEqual([path, 404]);
    expect((await ask(socket, '/api/v1/mcp/invoke', echo)).status).toBe(404);
    expect((await ask(socket, INVOKE)).status).toBe(405);
  });

  test('the current scopes apply', async () => {
    const socket = socketNamed('c.sock');
    let settings = settingsOf({ socket }, ['tools:read']);
    await using _ = await open(() => settings);
    expect((await ask(socket, TOOLS)).status).toBe(200);
    const refused = await ask(socket, INVOKE, echo);
    expect(refused.status).toBe(403);
    expect((refused.body.error as Json).message).toContain('Add it to server.internal.scopes');
    settings = settingsOf({ socket }, execute);
    expect((await ask(socket, INVOKE, echo)).status).toBe(200);
    expect((await ask(socket, INVOKE, { name: 'gateway_remove_server', arguments: { name: 'ref' } })).status).toBe(404);
    settings = settingsOf(false);
    expect((await ask(socket, TOOLS)).status).toBe(403);
  });

  test('the socket of a killed gateway is replaced; one in use, or another file, is not', async () => {
    const left = socketNamed('left.sock');
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(left, resolve));
    await expect(open(settingsOf({ socket: left }))).rejects.toThrow(`Another program listens at ${left}`);
    // After SIGKILL the file stays, but nobody answers.
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    other.close(() => resolve());
    await closed;
    const dead = socketNamed('dead.sock');
    await leaveBehind(dead);
    await using _ = await open(settingsOf({ socket: dead }));
    expect((await ask(dead, '/health')).status).toBe(200);
    const file = socketNamed('notes.txt');
    await writeFile(file, 'mine');
    await expect(open(settingsOf({ socket: file }))).rejects.toThrow('is not a socket');
    await expect(open(settingsOf({ socket: socketNamed('no/such/place') }))).rejects.toThrow(
      'does not exist. Create it',
    );
  });
});

/** Leaves a socket file without a listener. */
async function leaveBehind(path: string): Promise<void> {
  const { execFile } = await import('node:child_process');
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await new Promise<void>((resolve) => execFile(process.execPath, ['-e', script], () => resolve()));
}

describe('on an address', () => {
  const local = { host: '127.0.0.1', port: 0 };

  test('tools can be called, without a warning on loopback', async () => {
    const warnings: string[] = [];
    await using listener = await open(settingsOf(local), warnings);
    const { status, messages } = await send(`${listener.at}${INVOKE}`, { body: echo });
    expect({ status, text: (messages[0] as { content: { text: string }[] }).content[0]?.text }).toEqual({
      status: 200,
      text: 'hi',
    });
    expect(warnings).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['another host', { host: 'rebound.example' }],
    ['a web page', { origin: 'https://evil.example' }],
    ['a proxy', { 'x-forwarded-for': '203.0.113.7' }],
  ])('%s is refused', async (_, headers) => {
    await using listener = await open(settingsOf(local));
    const { status, messages } = await send(`${listener.at}${TOOLS}`, { headers });
    expect(status).toBe(403);
    expect(messages[0]).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });

  test('an address beyond loopback works with a warning', async () => {
    const warnings: string[] = [];
    await using listener = await open(settingsOf({ host: '0.0.0.0', port: 0 }), warnings);
    expect(warnings).toEqual([expect.stringContaining(`the internal listener at ${listener.at} requires no key`)]);
    expect(warnings[0]).toContain('tools:read, tools:execute');
    const { port } = new URL(listener.at);
    expect((await send(`http://127.0.0.1:${port}${TOOLS}`)).status).toBe(200);
  });

  test('that is in use: the error says what to change', async () => {
    const other = createHttpServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await expect(open(settingsOf({ host: '127.0.0.1', port }))).rejects.toThrow('Change server.internal');
    other.close();
  });
});
