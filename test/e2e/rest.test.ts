import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlace, type Place, type Started } from '../support/command-line.ts';

const everything = {
  command: process.execPath,
  args: [createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')],
  confirm: ['echo'],
};

let directory: string;
let socket: string;
let place: Place;
let serving: Started & AsyncDisposable;
let url: string;
const keys: Record<string, string> = {};

async function makeKey(name: string, ...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await place.run(['keys', 'create', '--name', name, ...options]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

beforeAll(async () => {
  // Its path has to be short enough for a socket.
  directory = await mkdtemp(join(tmpdir(), 'sluice-rest-'));
  socket = join(directory, 'internal.sock');
  place = await createPlace({
    auth: { mode: 'keys' },
    server: { internal: { socket, scopes: ['tools:read', 'tools:execute'] } },
    mcpServers: { everything },
  });
  keys.full = await makeKey('full', '--scopes', 'tools:read,tools:execute,health:check');
  keys.reader = await makeKey('reader', '--scopes', 'tools:read');
  keys.watcher = await makeKey('watcher', '--scopes', 'health:check');
  keys.some = await makeKey('some', '--scopes', 'tools:execute', '--tools', 'everything__get-*');
  serving = await place.serve();
  const { stdout } = await place.run(['status', '--json']);
  url = (JSON.parse(stdout) as { url: string }).url.replace(/\/mcp$/, '');
});
afterAll(async () => {
  await serving[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const sum = { name: 'everything__get-sum', arguments: { a: 1, b: 2 } };
const echo = { name: 'everything__echo', arguments: { message: 'hi' } };

async function ask(path: string, key?: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { 'x-api-key': key }),
      ...headers,
    },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe('keys of the shipped command', () => {
  test.each<[string, string, unknown, Record<string, number>]>([
    ['GET', '/api/v1/mcp/tools', undefined, { full: 200, reader: 200, watcher: 403, some: 200, none: 401, wrong: 401 }],
    ['GET', '/api/v1/mcp/tools/everything__get-sum', undefined, { full: 200, reader: 200, watcher: 403, some: 200 }],
    ['GET', '/api/v1/mcp/tools/gateway_status', undefined, { full: 200, reader: 200, some: 404, none: 401 }],
    ['POST', '/api/v1/mcp/invoke', sum, { full: 200, reader: 403, watcher: 403, some: 200, none: 401, wrong: 401 }],
    ['POST', '/api/v1/mcp/invoke', echo, { full: 409, reader: 403, some: 404, none: 401 }],
    ['GET', '/api/v1/mcp/health', undefined, { full: 200, reader: 403, watcher: 200, none: 401 }],
    ['GET', '/api/v1/public/health', undefined, { full: 200, none: 200, wrong: 200 }],
    ['GET', '/openapi.json', undefined, { none: 200 }],
    ['POST', '/api/v1/mcp/invoke/internal', sum, { full: 404, none: 404 }],
  ])('%s %s %j', async (_, path, body, expected) => {
    const got: Record<string, number> = {};
    for (const name of Object.keys(expected))
      got[name] = (await ask(path, name === 'wrong' ? 'slc_wrong' : keys[name], body)).status;
    expect(got).toEqual(expected);
  });

  test('as a bearer token, too', async () => {
    const { status } = await ask('/api/v1/mcp/tools', undefined, undefined, { authorization: `Bearer ${keys.full}` });
    expect(status).toBe(200);
  });

  test('a request without a key is told what to send', async () => {
    const { headers, body } = await ask('/api/v1/mcp/tools');
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { data: { code: 'unauthenticated' } } });
  });

  test('the OpenAPI description says which keys are accepted, and is complete', async () => {
    const { body } = await ask('/openapi.json');
    expect(body).toMatchObject({
      components: { securitySchemes: { bearer: { scheme: 'bearer' }, apiKey: { name: 'X-API-Key' } } },
      paths: {
        '/api/v1/mcp/invoke': { post: { security: [{ bearer: ['tools:execute'] }, { apiKey: ['tools:execute'] }] } },
      },
    });
  });
});

test('only its owner can open the socket of the internal listener, and its path is printed at the start', async () => {
  expect((await stat(socket)).mode & 0o777).toBe(0o600);
  await serving.printed(`Internal listener at ${socket}`);
});

test('another address of the internal listener needs a restart, and Sluice says so', async () => {
  const file = join(place.project, 'sluice.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as { server: { internal: object } };
  // Change only the address: other scopes would take effect at once, and refuse the calls of the following tests.
  const other = { ...config.server.internal, socket: join(directory, 'other.sock') };
  const changed = { ...config, server: { ...config.server, internal: other } };
  await writeFile(file, JSON.stringify(changed));
  await expect(serving.printed(/Restart the gateway to apply .*server\.internal/)).resolves.toBeUndefined();
  await writeFile(file, JSON.stringify(config));
});

/** The commands of a page, each with the answer below it. */
function examplesOf(page: string): { line: number; command: string; answer: unknown }[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```sh\n(curl .*?)^```\n+```json\n(.*?)^```$/gms)].map(
    ({ 1: command = '', 2: answer = '', index }) => ({
      line: text.slice(0, index).split('\n').length,
      command,
      answer: JSON.parse(answer) as unknown,
    }),
  );
}

/** The same keys with the same types of values; the answer may have more keys. */
function shapeOf(shown: unknown, real: unknown): unknown {
  if (Array.isArray(shown) && Array.isArray(real)) return shown.slice(0, 1).map((item) => shapeOf(item, real[0]));
  if (shown === null || real === null || typeof shown !== 'object' || typeof real !== 'object')
    return real === null ? null : typeof real;
  return Object.fromEntries(
    Object.entries(shown).map(([key, value]) => [key, shapeOf(value, (real as Record<string, unknown>)[key])]),
  );
}

describe('the examples of docs/rest.md', () => {
  const examples = examplesOf('rest.md');

  test('are all there', () => {
    expect(examples.length).toBeGreaterThanOrEqual(9);
  });

  test.each(examples)('line $line answers as it says', async ({ command, answer }) => {
    const real = command.replaceAll('http://127.0.0.1:3500', url).replaceAll('/run/sluice/internal.sock', socket);
    const { stdout } = await promisify(execFile)('sh', ['-c', real], {
      env: { ...process.env, SLUICE_KEY: keys.full },
    });
    const got = JSON.parse(stdout) as unknown;
    expect(shapeOf(answer, got)).toEqual(shapeOf(answer, answer));
    const { error } = answer as { error?: { message?: string } | null };
    if (error?.message !== undefined) expect(got).toMatchObject({ error: { message: error.message } });
  });
});
