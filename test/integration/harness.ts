/**
 * The basis of the integration tests: a gateway in this process, our own backends, and the clients of the SDKs.
 * Start everything with `await using`.
 *
 *   await using reference = await startReference('http', 'legacy');     // 'sse' and 'stdio' too; eras both|legacy|modern
 *   await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
 *   await using client = await connectV2(gateway, { era: 'modern' });   // or connectV1; transport: http|sse|stdio
 *   textOf(await callTool(client, 'ref__echo', { text: 'hi' }));
 *
 * startGateway(config, { home?, port?, settle?, env?, store?, parts?, refreshMs? })  config is the content of sluice.json. Waits until every backend has
 *   tried to start, unless settle is false. store is the URL of a PostgreSQL; with SLUICE_TEST_STORE=postgres each home gets
 *   a database. parts are more parts than the product has
 *   .mcp .sse    the URLs              .runtime   gateway, events, store, status() of the running gateway
 *   .home        its SLUICE_HOME. A home you pass in is not removed, so a second gateway can use it
 *   .reload(config)                    as if the file had been changed
 *   .stored(query)                     the events that match, after flushing those recorded so far
 * startReference(transport, era)  the server of test/fixtures/reference-server.ts. http and sse run in this process and
 *   show their .world (journal, …), so do not call their `crash`; stdio is a child of the gateway and has no .world.
 * connectV1(gateway, options), connectV2(gateway, options)  the SDKs' clients, connected. stdio is the real
 *   `node bin/sluice.js stdio`, attached to that gateway.
 *   transport    http (default) | sse | stdio           path   /mcp by default
 *   era          v2 only: legacy (default) | modern     version  v2 only: the 2025 version to offer
 *   answer       (method, params) => result: answers elicitation/create, sampling/createMessage and roots/list, and
 *                declares all three capabilities; `capabilities` overrides that
 *   info         clientInfo                             headers  of every HTTP request
 * callTool(client, name, args, options?)  tools/call by either client, options as the SDKs have them (signal, onprogress, …)
 * raw HTTP, for requests that the clients cannot send:
 *   send(url, { method?, headers?, body?, signal? }) -> { status, headers, text, messages }   reads to the end
 *   open(url, the same) -> { status, headers, messages, ended, close() }     `messages` grows while the stream lasts
 *   modern(method, params?, { id?, capabilities?, meta? }) -> { headers, body }   a correct 2026-07-28 request
 *   openSession(url, { version?, capabilities? }) -> headers of a 2025 session that has been initialized
 *   rpc(id, method, params?)  a JSON-RPC request as an object
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  Client as V2Client,
  SSEClientTransport as V2Sse,
  StreamableHTTPClientTransport as V2Http,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as V1Sse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as V1Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { loadConfig } from '../../src/host/config/load.ts';
import type { Parts } from '../../src/host/part.ts';
import { startParts } from '../../src/host/runtime.ts';
import { parts } from '../../src/parts.ts';
import type { Runtime } from '../../src/runtime.ts';
import { listenAt } from '../../src/server/listening.ts';
import { type HttpServing, serveHttp } from '../../src/server/serve-http.ts';
import { version } from '../../src/version.ts';
import { createSseReader } from '../../src/wire/sse.ts';
import { MODERN, meta } from '../../src/wire/versions.ts';
import { type Eras, httpWithSse, listen, streamableHttp } from '../fixtures/reference/http.ts';
import { createWorld, type World } from '../fixtures/reference/world.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

export type Json = Record<string, unknown>;
export type TransportName = 'http' | 'sse' | 'stdio';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly mcp: string;
  readonly sse: string;
  readonly home: string;
  readonly runtime: Runtime;
  stored: Runtime['store']['events']['query'];
  reload(config: object): Promise<void>;
  drain: HttpServing['stopping']['finish'];
}

/** Where a client connects. `sluice stdio` starts its own gateway if none runs in the home. */
export type Place = Pick<TestGateway, 'url' | 'home'>;

/** The database of a home that several gateways use one after the other. It ends with the run. */
const databases = new Map<string, Promise<TestDatabase>>();

/** With SLUICE_TEST_STORE=postgres a database for each home; otherwise undefined, for SQLite. */
async function storeOf(home: string): Promise<string | undefined> {
  if (process.env.SLUICE_TEST_STORE !== 'postgres') return undefined;
  const database = databases.get(home) ?? createDatabase();
  databases.set(home, database);
  // Never dropped: that takes long, and the server ends with the run.
  return (await database).url;
}

export async function startGateway(
  config: object,
  options: {
    home?: string;
    port?: number;
    settle?: boolean;
    env?: Record<string, string>;
    store?: string;
    parts?: Parts;
    refreshMs?: number;
  } = {},
): Promise<TestGateway> {
  await using stack = new AsyncDisposableStack();
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'sluice-test-')));
  if (options.home === undefined) stack.defer(() => rm(home, { recursive: true, force: true }));
  const write = (next: object) => writeFile(join(home, 'sluice.json'), JSON.stringify(next));
  await write(config);
  const store = options.store ?? (await storeOf(home));
  const place = {
    home,
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...(store !== undefined && { SLUICE_STORE: store }), ...options.env },
  };
  const listening = stack.use(await listenAt('127.0.0.1', options.port ?? 0));
  const all = { ...parts, ...options.parts };
  const runtime: Runtime = stack.use(
    await startParts(all, {
      ...place,
      url: listening.url,
      version,
      ...(options.refreshMs !== undefined && { refreshMs: options.refreshMs }),
    }),
  );
  const { server, stopping } = stack.use(await serveHttp(runtime, { listening }));
  if (options.settle !== false) await runtime.settled;
  const owned = stack.move();
  return {
    url: server.url,
    mcp: `${server.url}/mcp`,
    sse: `${server.url}/sse`,
    home,
    runtime,
    async stored(query) {
      await runtime.events.flush();
      return runtime.store.events.query(query);
    },
    async reload(next) {
      await write(next);
      await runtime.reload(await loadConfig(all, place));
    },
    drain: stopping.finish,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export interface Reference extends AsyncDisposable {
  /** The server's entry in `mcpServers`. */
  readonly entry: { command: string; args: string[] } | { url: string };
}

export type LocalReference = Reference & { readonly entry: { url: string }; readonly world: World };

export function startReference(transport: 'http' | 'sse', era: Eras): Promise<LocalReference>;
export function startReference(transport: TransportName, era: Eras): Promise<Reference>;
export async function startReference(transport: TransportName, era: Eras): Promise<Reference> {
  if (transport === 'stdio') {
    const args = [here('../fixtures/reference-server.ts'), '--transport', 'stdio', '--era', era];
    return { entry: { command: process.execPath, args }, async [Symbol.asyncDispose]() {} };
  }
  const world = createWorld();
  const server = await listen(transport === 'sse' ? httpWithSse(world) : streamableHttp(world, era), 0);
  const local: LocalReference = {
    entry: { url: `http://127.0.0.1:${server.port}/${transport === 'sse' ? 'sse' : 'mcp'}` },
    world,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return local;
}

export type Answer = (method: string, params: Json | undefined) => unknown;

export interface ClientOptions {
  transport?: TransportName;
  path?: string;
  answer?: Answer;
  capabilities?: Json;
  info?: { name: string; version: string };
  headers?: Record<string, string>;
}

type Connected<C> = C & AsyncDisposable;
export type AnyClient = V1Client | V2Client;

const everyCapability = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const someone = { name: 'sluice-test', version: '1.0.0' };

function capabilitiesOf({ answer, capabilities }: ClientOptions): Json {
  return capabilities ?? (answer ? everyCapability : {});
}

function stdioOf({ home }: Place) {
  const env = { PATH: process.env.PATH ?? '', HOME: home, SLUICE_HOME: home };
  return {
    command: process.execPath,
    args: [here('../../bin/sluice.js'), 'stdio'],
    env,
    cwd: home,
    stderr: 'ignore',
  } as const;
}

function urlOf(gateway: Place, { transport, path }: ClientOptions): URL {
  return new URL(path ?? (transport === 'sse' ? '/sse' : '/mcp'), gateway.url);
}

export async function connectV1(gateway: Place, options: ClientOptions = {}): Promise<Connected<V1Client>> {
  const { transport = 'http', answer, info = someone, headers } = options;
  const client = new V1Client(info, { capabilities: capabilitiesOf(options) });
  if (answer) {
    for (const schema of [ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema]) {
      if (capabilitiesOf(options)[capabilityFor[schema.shape.method.value]] === undefined) continue;
      client.setRequestHandler(schema, async ({ method, params }) => (await answer(method, params as Json)) as Json);
    }
  }
  const requestInit = headers && { headers };
  const made: Record<TransportName, () => V1Transport> = {
    http: () => new V1Http(urlOf(gateway, options), { requestInit }),
    sse: () => new V1Sse(urlOf(gateway, options), { requestInit }),
    stdio: () => new V1Stdio({ ...stdioOf(gateway), args: [...stdioOf(gateway).args] }),
  };
  await client.connect(made[transport]());
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

export async function connectV2(
  gateway: Place,
  options: ClientOptions & { era?: 'legacy' | 'modern'; version?: string } = {},
): Promise<Connected<V2Client>> {
  const { transport = 'http', answer, info = someone, headers, era = 'legacy', version } = options;
  const client = new V2Client(info, {
    capabilities: capabilitiesOf(options),
    versionNegotiation: { mode: era === 'modern' ? { pin: MODERN } : 'legacy' },
    ...(version !== undefined && { supportedProtocolVersions: [version] }),
  });
  if (answer) {
    for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const) {
      if (capabilitiesOf(options)[capabilityFor[method]] === undefined) continue;
      client.setRequestHandler(method, async (request) => (await answer(method, request.params as Json)) as never);
    }
  }
  const requestInit = headers && { headers };
  const made = {
    http: () => new V2Http(urlOf(gateway, options), { requestInit }),
    sse: () => new V2Sse(urlOf(gateway, options), { requestInit }),
    stdio: () => new V2Stdio({ ...stdioOf(gateway), args: [...stdioOf(gateway).args] }),
  };
  await client.connect(made[transport]());
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

const capabilityFor = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const;

export interface CallOptions {
  signal?: AbortSignal;
  timeout?: number;
  resetTimeoutOnProgress?: boolean;
  onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

export interface CallResult extends Json {
  content?: { type: string; text?: string }[];
  isError?: boolean;
}

export async function callTool(
  client: AnyClient,
  name: string,
  args: Json = {},
  options: CallOptions = {},
): Promise<CallResult> {
  const params = { name, arguments: args };
  const result =
    client instanceof V1Client
      ? await client.callTool(params, undefined, options)
      : await client.callTool(params, options);
  return result;
}

export function textOf({ content = [] }: CallResult): string {
  return content.map(({ text }) => text ?? '').join('');
}

export interface SendOptions {
  method?: string;
  /** Sent exactly as given. Only Host (unless given) and Content-Length are added. */
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

export interface Sent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly messages: Json[];
}

export async function send(url: string, options: SendOptions = {}): Promise<Sent> {
  const response = await requested(url, options);
  const text = await readText(response);
  const messages: Json[] = [];
  if (isStream(response)) reader(messages)(Buffer.from(text));
  else if (response.headers['content-type']?.includes('json') && text !== '')
    messages.push(...[JSON.parse(text) as Json].flat());
  return { status: response.statusCode ?? 0, headers: response.headers, text, messages };
}

export interface OpenStream extends Disposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly messages: Json[];
  readonly ended: Promise<void>;
  close(): void;
}

export async function open(url: string, options: SendOptions = {}): Promise<OpenStream> {
  const response = await requested(url, options);
  const messages: Json[] = [];
  response.on('data', reader(messages));
  response.on('error', () => {});
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  const close = () => void response.destroy();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    messages,
    ended,
    close,
    [Symbol.dispose]: close,
  };
}

function requested(url: string, { method, headers = {}, body, signal }: SendOptions): Promise<IncomingMessage> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const type =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      url,
      {
        method: method ?? (text === undefined ? 'GET' : 'POST'),
        headers: { ...type, ...headers },
        agent: false,
        signal,
      },
      resolve,
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

const isStream = (response: IncomingMessage) =>
  response.headers['content-type']?.includes('text/event-stream') ?? false;

function reader(messages: Json[]) {
  return createSseReader({
    limit: 64 * 1024 * 1024,
    onEvent: ({ data, event }) => {
      if (data !== '' && event !== 'endpoint') messages.push(JSON.parse(data) as Json);
    },
    onRetry() {},
    onTooLong() {},
  });
}

export function rpc(id: number | string, method: string, params?: Json): Json {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}

export function modern(
  method: string,
  params: Json = {},
  options: { id?: number | string; capabilities?: Json; meta?: Json } = {},
) {
  const { id = 1, capabilities = {} } = options;
  const envelope = {
    [meta.protocolVersion]: MODERN,
    [meta.clientInfo]: someone,
    [meta.clientCapabilities]: capabilities,
  };
  const name = params.name ?? params.uri ?? params.taskId;
  const headers: Record<string, string> = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
  const body = rpc(id, method, {
    ...params,
    _meta: { ...(params._meta as Json | undefined), ...envelope, ...options.meta },
  });
  return { headers, body };
}

export async function openSession(
  url: string,
  options: { version?: string; capabilities?: Json; headers?: Record<string, string> } = {},
): Promise<Record<string, string>> {
  const { version = '2025-11-25', capabilities = {}, headers: own = {} } = options;
  const { headers, status, text } = await send(url, {
    headers: own,
    body: rpc(0, 'initialize', { protocolVersion: version, capabilities, clientInfo: someone }),
  });
  const id = headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`No session: ${status} ${text}`);
  const session = { 'mcp-session-id': id, 'mcp-protocol-version': version };
  await send(url, { headers: { ...own, ...session }, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  return session;
}
