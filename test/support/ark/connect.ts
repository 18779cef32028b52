/**
 * How ARK's controller and its executor connect: the MCP client of its Go SDK (1.6.1, 2025-11-25), and ARK's own retries
 * around it. The requests of a connection come in the order of the Go SDK: initialize, the standing stream, then
 * notifications/initialized. If any of them fails, the connect has failed.
 */
import { type Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface ConnectOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** spec.timeout */
  readonly timeoutMs: number;
  /** Where connections of this process lead, and which are kept open: Go keeps two idle ones per host for 90 seconds. */
  readonly agent: Agent;
  /** The length of a second of ARK's back-off. */
  readonly secondMs?: number;
}

export interface Connected extends AsyncDisposable {
  readonly client: Client;
  /** Response to the request before the last answer: ARK reads Retry-After of tool calls. */
  readonly answered: { status?: number; retryAfter?: number };
}

/** A 401 with what its WWW-Authenticate header said. */
export class Unauthorized extends Error {
  readonly challenge: string;
  constructor(challenge: string) {
    super('MCP server returned 401 Unauthorized');
    this.challenge = challenge;
  }
}

const MOST_ATTEMPTS = 5;

/** Tries again only if nobody answered. An HTTP status other than 408 and 504 ends it at once. */
export async function connectAsArk(options: ConnectOptions): Promise<Connected> {
  const { timeoutMs, secondMs = 1000 } = options;
  const end = performance.now() + (timeoutMs / 1000) * secondMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectOnce(options);
    } catch (error) {
      const backoffMs = 2 ** attempt * secondMs;
      if (attempt === MOST_ATTEMPTS || !isRetried(error) || performance.now() + backoffMs > end) throw error;
      await delay(backoffMs);
    }
  }
}

async function connectOnce({ url, headers, agent }: ConnectOptions): Promise<Connected> {
  const answered: { status?: number; retryAfter?: number; challenge?: string } = {};
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: inOrderOfGo(agent, answered),
    // The Go SDK takes up the standing stream again; a poll is over by then.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const client = new Client({ name: 'ark.mckinsey.com', version: 'v1alpha1' });
  try {
    await client.connect(transport);
  } catch (error) {
    await client.close().catch(() => {});
    if (answered.status === 401) throw new Unauthorized(answered.challenge ?? '');
    throw error;
  }
  return {
    client,
    answered,
    async [Symbol.asyncDispose]() {
      await transport.terminateSession().catch(() => {});
      await client.close();
    },
  };
}

/** The client of this language opens the standing stream last, and does not wait for it. */
function inOrderOfGo(agent: Agent, answered: { status?: number; retryAfter?: number; challenge?: string }) {
  const send = async (url: URL, init: RequestInit) => {
    const response = await fetchOver(agent, url, init);
    answered.status = response.status;
    answered.retryAfter = Number(response.headers.get('retry-after') ?? 0);
    answered.challenge = response.headers.get('www-authenticate') ?? '';
    return response;
  };
  let standing: Response | undefined;
  return async (given: URL | string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(given);
    if (init.method === 'GET') {
      const opened = standing;
      standing = undefined;
      return opened ?? new Response(null, { status: 405 });
    }
    if (typeof init.body === 'string' && init.body.includes('"notifications/initialized"')) {
      const headers = new Headers(init.headers);
      headers.delete('content-type');
      headers.set('accept', 'text/event-stream');
      const { signal } = init;
      standing = await send(url, { method: 'GET', headers, ...(signal && { signal }) });
      if (standing.status >= 500) throw new Error(`standalone SSE request failed: ${standing.status}`);
    }
    return send(url, init);
  };
}

/** `fetch` over the connections of an agent. */
export function fetchOver(agent: Agent, url: URL, init: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const { method = 'GET', signal, body } = init;
    const sent = request(url, { agent, method, headers, ...(signal && { signal }) }, (answer) => {
      resolve(responseOf(answer));
    });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

function responseOf(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 502;
  const headers = new Headers();
  for (const [key, values = []] of Object.entries(answer.headersDistinct))
    for (const value of values) headers.append(key, value);
  if (status === 204 || status === 304) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  answer.on('error', () => {});
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers });
}

/** As Go words them: connection refused, no such host, network is unreachable, timeout, temporary failure. */
const retried = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ENETUNREACH', 'ETIMEDOUT', 'EAI_AGAIN']);

function isRetried(error: unknown): boolean {
  if (error instanceof StreamableHTTPError) return error.code === 504 || error.code === 408;
  for (let one = error as (Error & { code?: string }) | undefined; one; one = one.cause as typeof one)
    if (one.code !== undefined && retried.has(one.code)) return true;
  return false;
}
