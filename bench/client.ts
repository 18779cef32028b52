import http from 'node:http';

/** How a client speaks: 2025 sessions, 2026-07-28 without them, or the HTTP+SSE of 2024. */
export type Era = 'legacy' | 'modern' | 'sse';

// 2025-06-18 rather than 2025-11-25, in which SDK servers open every answer with one more event: with one caller,
// mcp-proxy would take three times as long, and the comparison would flatter us.
export const versionOf: Record<Era, string> = { legacy: '2025-06-18', modern: '2026-07-28', sse: '2024-11-05' };

type Json = Record<string, unknown>;

interface Answer {
  result: Json;
  bytes: number;
  /** From the first byte sent to the last one received; parsing the JSON is the client's own work. */
  ms: number;
}

export interface Client {
  request(method: string, params: Json): Promise<Answer>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const clientInfo = { name: 'sluice-bench', version: '1.0.0' };
const accept = 'application/json, text/event-stream';

/** Connects as a separate client: it shares its connections with no other. */
export async function connect(era: Era, url: URL, agent: http.Agent): Promise<Client> {
  if (era === 'modern') return modernClient(url, agent);
  if (era === 'sse') return await sseClient(url, agent);
  return await legacyClient(url, agent);
}

function modernClient(url: URL, agent: http.Agent): Client {
  const nextId = counter();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': versionOf.modern,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    async request(method, params) {
      const headers: http.OutgoingHttpHeaders = { 'mcp-protocol-version': versionOf.modern, 'mcp-method': method };
      if (typeof params.name === 'string') headers['mcp-name'] = params.name;
      return await exchange(url, agent, headers, nextId(), method, { ...params, _meta });
    },
    close: async () => {},
  };
}

async function legacyClient(url: URL, agent: http.Agent): Promise<Client> {
  const nextId = counter();
  const opened = await post(url, agent, {}, rpc(nextId(), 'initialize', helloParams('legacy')));
  const hello = resultOf(opened);
  const headers: http.OutgoingHttpHeaders = { 'mcp-protocol-version': String(hello.protocolVersion) };
  const session = opened.headers['mcp-session-id'];
  if (session !== undefined) headers['mcp-session-id'] = session;
  await post(url, agent, headers, rpc(undefined, 'notifications/initialized'));
  return {
    request: (method, params) => exchange(url, agent, headers, nextId(), method, params),
    async close() {
      if (session !== undefined) await send(url, agent, 'DELETE', headers);
    },
  };
}

/** Answers arrive on the one stream opened first; requests go out by POST. */
async function sseClient(url: URL, agent: http.Agent): Promise<Client> {
  const nextId = counter();
  const waiting = new Map<number, { started: number; resolve(answer: Answer): void; reject(error: Error): void }>();
  const stream = await openStream(url, agent);
  const endpoint = await new Promise<URL>((resolve, reject) => {
    const read = eventReader((event, data) => {
      if (event === 'endpoint') resolve(new URL(data, url));
      else take(data);
    });
    stream.setEncoding('utf8');
    stream.on('data', read);
    stream.on('close', () => {
      const gone = new Error('The event stream ended.');
      reject(gone);
      for (const caller of waiting.values()) caller.reject(gone);
    });
  });

  function take(data: string): void {
    const ended = performance.now();
    const message = JSON.parse(data) as RpcMessage;
    const caller = waiting.get(Number(message.id));
    if (!caller) return;
    waiting.delete(Number(message.id));
    if (message.result === undefined) caller.reject(new Error(failureOf(data)));
    else caller.resolve({ result: message.result, bytes: Buffer.byteLength(data), ms: ended - caller.started });
  }

  async function request(method: string, params: Json): Promise<Answer> {
    const id = nextId();
    const started = performance.now();
    const answer = new Promise<Answer>((resolve, reject) => waiting.set(id, { started, resolve, reject }));
    await Promise.all([post(endpoint, agent, {}, rpc(id, method, params)), answer]);
    return await answer;
  }

  await request('initialize', helloParams('sse'));
  await post(endpoint, agent, {}, rpc(undefined, 'notifications/initialized'));
  return {
    request,
    async close() {
      stream.destroy();
    },
  };
}

interface RpcMessage {
  id?: number;
  result?: Json;
}

interface Reply {
  text: string;
  bytes: number;
  headers: http.IncomingHttpHeaders;
  ms: number;
}

async function exchange(
  url: URL,
  agent: http.Agent,
  headers: http.OutgoingHttpHeaders,
  id: number,
  method: string,
  params: Json,
): Promise<Answer> {
  const reply = await post(url, agent, headers, rpc(id, method, params));
  return { result: resultOf(reply, id), bytes: reply.bytes, ms: reply.ms };
}

function rpc(id: number | undefined, method: string, params?: Json): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function helloParams(era: Era): Json {
  return { protocolVersion: versionOf[era], capabilities: {}, clientInfo };
}

function post(url: URL, agent: http.Agent, headers: http.OutgoingHttpHeaders, body: string): Promise<Reply> {
  return send(url, agent, 'POST', { ...headers, 'content-type': 'application/json', accept }, body);
}

function send(
  url: URL,
  agent: http.Agent,
  method: string,
  headers: http.OutgoingHttpHeaders,
  body = '',
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const request = http.request(
      {
        host: url.hostname,
        port: url.port,
        path: url.pathname + url.search,
        method,
        agent,
        timeout: TIMEOUT_MS,
        headers: {
          ...headers,
          // The load process gets the key as part of the URL.
          ...(url.username !== '' && { authorization: `Bearer ${url.username}` }),
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - started;
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          const status = response.statusCode ?? 0;
          if (status >= 400) reject(new Error(`HTTP ${status}: ${text.slice(0, 200)}`));
          else resolve({ text, bytes: bytes.length, headers: response.headers, ms });
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error(`No answer within ${TIMEOUT_MS / 1000} s.`)));
    request.on('error', reject);
    request.end(body);
  });
}

function openStream(url: URL, agent: http.Agent): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream' };
    const options = { host: url.hostname, port: url.port, path: url.pathname, agent, headers };
    const request = http.get(options, (response) => {
      if (response.statusCode === 200) {
        resolve(response);
        return;
      }
      response.resume();
      reject(new Error(`HTTP ${response.statusCode} instead of an event stream.`));
    });
    request.on('error', reject);
  });
}

/** Takes text, and calls back for every complete event. */
export function eventReader(take: (event: string, data: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split(/\r?\n/);
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
      const event =
        lines
          .find((line) => line.startsWith('event:'))
          ?.slice(6)
          .trim() ?? 'message';
      if (data.join('') !== '') take(event, data.join('\n'));
    }
  };
}

function resultOf({ text, headers }: Reply, id?: number): Json {
  if (!headers['content-type']?.startsWith('text/event-stream')) return resultIn(text, id);
  let answer: string | undefined;
  // A final event without its blank line still counts, because the response has ended.
  eventReader((_, data) => {
    if ((JSON.parse(data) as RpcMessage).id !== undefined) answer = data;
  })(`${text}\n\n`);
  return resultIn(answer ?? text, id);
}

function resultIn(text: string, id: number | undefined): Json {
  const message = JSON.parse(text) as RpcMessage;
  if (message.result === undefined) throw new Error(failureOf(text));
  if (id !== undefined && message.id !== id) throw new Error(`Asked with id ${id}, answered with ${message.id}.`);
  return message.result;
}

function failureOf(text: string): string {
  return `No result in the answer: ${text.slice(0, 200)}`;
}

function counter(): () => number {
  let last = 0;
  return () => ++last;
}
