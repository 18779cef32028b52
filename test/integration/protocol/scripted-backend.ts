import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { sseFrame } from '../../../src/wire/sse.ts';
import { LATEST_LEGACY, MODERN, meta } from '../../../src/wire/versions.ts';
import type { Json } from '../harness.ts';

/** What a handler throws to answer with a JSON-RPC error. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a handler throws to break the connection off instead of answering. */
export class Cut extends Error {}

export interface Received {
  readonly method: string;
  readonly params: Json;
  readonly headers: IncomingHttpHeaders;
}

export interface ScriptedBackend extends AsyncDisposable {
  readonly entry: { url: string };
  /** Every request and notification that reached it. */
  readonly received: readonly Received[];
  /** The notifications filters of the `subscriptions/listen` streams that are open now. */
  readonly listening: () => Json[];
  /** How many streams are open on which it can notify. */
  readonly streams: () => number;
  /** To whoever keeps a stream open for notifications. */
  notify(method: string, params?: Json): void;
  /** Settles when a 2025 client has read all that was sent to it. */
  ping(): Promise<void>;
}

export type Script = Record<string, (params: Json, received: Received) => Json | Promise<Json>>;

/** A backend that answers as it is told, over Streamable HTTP: for what a well-behaved server never does. */
export async function startScripted(
  era: 'legacy' | 'modern',
  script: Script,
  capabilities: Json = { tools: { listChanged: true } },
  port = 0,
): Promise<ScriptedBackend> {
  const received: Received[] = [];
  const streams = new Map<ServerResponse, { filter: Json; stamp?: Json }>();
  const pings = new Map<string, () => void>();
  const info = { name: 'scripted', version: '1.0.0' };

  function openStream(response: ServerResponse, stream: { filter: Json; stamp?: Json }): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    streams.set(response, stream);
    response.on('close', () => streams.delete(response));
  }

  const own: Script = {
    initialize: () => ({ protocolVersion: LATEST_LEGACY, capabilities, serverInfo: info }),
    'server/discover': () => {
      if (era === 'legacy') throw new Refusal(-32601, 'Method not found');
      return {
        supportedVersions: [MODERN],
        capabilities,
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { [meta.serverInfo]: info },
      };
    },
    ping: () => ({}),
    'tools/list': () => ({ tools: [], ttlMs: 0, cacheScope: 'private' }),
  };

  async function answer(request: Received): Promise<Json> {
    const handler = script[request.method] ?? own[request.method];
    try {
      if (!handler) throw new Refusal(-32601, `Method not found: ${request.method}`);
      const result = await handler(request.params, request);
      return { result: era === 'modern' ? { resultType: 'complete', ...result } : result };
    } catch (error) {
      if (error instanceof Refusal) return { error: { code: error.code, message: error.message } };
      throw error;
    }
  }

  const server = createServer((request, response) => {
    const serve = async () => {
      if (request.method === 'GET') return openStream(response, { filter: {} });
      if (request.method !== 'POST') return void response.writeHead(200).end();
      const message = (await json(request)) as { id?: number | string; method?: string; params?: Json };
      const { id, method, params = {} } = message;
      const { headers } = request;
      if (method === undefined) {
        pings.get(String(id))?.();
        return void response.writeHead(202).end();
      }
      received.push({ method, params, headers });
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'subscriptions/listen' && era === 'modern') {
        const stamp = { [meta.subscriptionId]: id };
        openStream(response, { filter: params.notifications as Json, stamp });
        return void response.write(
          eventOf('notifications/subscriptions/acknowledged', { notifications: params.notifications }, stamp),
        );
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id, ...(await answer({ method, params, headers })) });
      const session = method === 'initialize' ? { 'mcp-session-id': randomUUID() } : undefined;
      response.writeHead(200, { 'content-type': 'application/json', ...session }).end(body);
    };
    serve().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    entry: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` },
    received,
    listening: () => [...streams.values()].filter(({ stamp }) => stamp).map(({ filter }) => filter),
    streams: () => streams.size,
    notify(method, params = {}) {
      for (const [response, { stamp }] of streams) response.write(eventOf(method, params, stamp));
    },
    ping() {
      const id = randomUUID();
      const answered = new Promise<void>((resolve) => pings.set(id, resolve));
      for (const response of streams.keys())
        response.write(sseFrame(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })));
      return answered;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function eventOf(method: string, params: Json, stamp: Json | undefined): string {
  return sseFrame(JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, ...(stamp && { _meta: stamp }) } }));
}
