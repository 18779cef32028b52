import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { Credentials } from './credentials.ts';
import { InFlight } from './in-flight.ts';
import { receiveText } from './incoming.ts';
import { type Id, isObject, isRequest, type Message } from './jsonrpc.ts';
import { type Link, type LinkEvents, MESSAGE_LIMIT, tooLarge } from './link.ts';
import { mcpName } from './modern.ts';
import { encodeHeader } from './param-headers.ts';
import { createSseReader } from './sse.ts';
import { MODERN } from './versions.ts';

export interface HttpLinkOptions {
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** What is sent besides, where the server is signed in to. */
  credentials?: Credentials;
  /** How names become addresses, where not every address is allowed. */
  lookup?: LookupFunction;
}

/** HTTP towards one origin: keep-alive sockets, no redirects (they could carry our headers elsewhere). */
export function createHttpClient({ url, lookup }: HttpLinkOptions) {
  const secure = url.protocol === 'https:';
  const options = { keepAlive: true, ...(lookup && { lookup }) };
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
  const start = secure ? httpsRequest : httpRequest;
  const known = new WeakMap<URL, { protocol: string; hostname: string; port: string; path: string; host: string }>();

  function partsOf(target: URL) {
    const parts = known.get(target) ?? {
      protocol: target.protocol,
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port,
      path: target.pathname + target.search,
      host: target.host,
    };
    known.set(target, parts);
    return parts;
  }

  return {
    request(
      target: URL,
      options: { method: string; headers: Record<string, string>; body?: string },
      onResponse: (response: IncomingMessage) => void,
      onError: (error: Error) => void,
    ): ClientRequest {
      const { host, ...parts } = partsOf(target);
      // A flat list of headers goes onto the wire as it is; an object would be taken apart first.
      const headers = options.headers.host === undefined ? ['host', host] : [];
      for (const name in options.headers) headers.push(name, options.headers[name] as string);
      const sent = start({ agent, ...parts, method: options.method, headers }, onResponse);
      sent.on('error', onError);
      sent.end(options.body);
      return sent;
    },
    destroy: () => agent.destroy(),
  };
}

export function readText(response: IncomingMessage, limit: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        resolve(undefined);
        response.destroy();
      } else chunks.push(chunk);
    });
    response.on('end', () =>
      resolve((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8')),
    );
    response.on('error', () => resolve(''));
  });
}

const RESUME_TRIES = 5;

type Headers = Readonly<Record<string, string>>;
const unsigned: Headers = {};

/** A message as it was sent, to be sent again. */
interface Sent {
  message: Message;
  body: string;
  headers: Headers | undefined;
  /** What stood for us. */
  own: Headers;
  again: boolean;
}

/** Streamable HTTP towards a backend, both eras. */
export function openHttpLink(options: HttpLinkOptions, events: LinkEvents): Link {
  const client = createHttpClient(options);
  const { credentials } = options;
  const streams = new InFlight<ClientRequest>();
  /** Requests that wait for what stands for us. */
  const preparing = new Set<Id>();
  let session: string | undefined;
  let version: string | undefined;
  let modern = false;
  let standing: ClientRequest | undefined;
  let closed = false;

  function die(error: AppError): void {
    if (closed) return;
    closed = true;
    standing?.destroy();
    client.destroy();
    events.closed(error);
  }

  function sessionHeaders(): Record<string, string> {
    return {
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...(version !== undefined && { 'mcp-protocol-version': version }),
    };
  }

  function streamHeaders(own: Headers, lastEventId: string | undefined): Record<string, string> {
    return {
      ...options.headers,
      ...own,
      ...sessionHeaders(),
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
  }

  /** Goes on with what stands for us: at once where it is at hand. */
  function signed(go: (own: Headers) => void, failed: (error: AppError) => void): void {
    const own = credentials ? credentials.headers() : unsigned;
    if (own instanceof Promise) own.then(go).catch((error: unknown) => failed(toAppError(error)));
    else go(own);
  }

  /** A stream of the server's was refused; whether it can be asked for again with other credentials. */
  async function canAskAgain(response: IncomingMessage, own: Headers): Promise<boolean> {
    response.resume();
    const { statusCode: status = 0, headers } = response;
    if (!credentials || (status !== 401 && status !== 403)) return false;
    return (await credentials.refused(status, headers['www-authenticate'], own).catch(toAppError)) === 'retry';
  }

  /** Reads an event stream to its end and says whether the request got its answer and where to go on. */
  function readStream(
    response: IncomingMessage,
    origin: Id | undefined,
    onEnd: (state: { answered: boolean; lastEventId?: string; retryMs: number }) => void,
  ): void {
    let answered = false;
    let lastEventId: string | undefined;
    let retryMs = 1000;
    const read = createSseReader({
      limit: MESSAGE_LIMIT,
      onEvent(event) {
        if (event.id !== undefined) lastEventId = event.id;
        if (
          event.data !== '' &&
          (event.event === undefined || event.event === 'message') &&
          receiveText(event.data, events, origin)
        )
          answered = true;
      },
      onRetry: (ms) => {
        retryMs = ms;
      },
      onTooLong({ bytes }) {
        if (origin === undefined) return events.noise('an event that is too large');
        answered = true;
        events.failed(origin, tooLarge(bytes));
      },
    });
    response.on('data', read);
    response.on('error', () => {});
    response.on('close', () => onEnd({ answered, retryMs, ...(lastEventId !== undefined && { lastEventId }) }));
  }

  /** A 2025 stream that broke off can be taken up where it ended. */
  function resume(id: number, lastEventId: string, retryMs: number, tries = 0): void {
    const lost = (why: string) => {
      streams.delete(id);
      events.failed(
        id,
        new AppError(
          'unavailable',
          `The stream of this call broke off and could not be resumed (${why}); whether the call took effect is not known.`,
        ),
      );
    };
    if (closed) return;
    if (tries >= RESUME_TRIES) return lost(`${tries} tries`);
    setTimeout(() => {
      signed(
        (own) => closed || !streams.get(id) || take(own),
        ({ message }) => lost(message),
      );
    }, retryMs);

    function take(own: Headers): void {
      const sent = client.request(
        options.url,
        {
          method: 'GET',
          headers: streamHeaders(own, lastEventId),
        },
        (response) => {
          if (response.statusCode !== 200) {
            return void canAskAgain(response, own).then((again) =>
              again ? resume(id, lastEventId, retryMs, tries + 1) : lost(`HTTP ${response.statusCode}`),
            );
          }
          readStream(response, id, (end) => {
            if (end.answered) streams.delete(id);
            else if (streams.get(id))
              resume(id, end.lastEventId ?? lastEventId, end.retryMs, end.lastEventId === undefined ? tries + 1 : 0);
          });
        },
        () => resume(id, lastEventId, retryMs, tries + 1),
      );
      streams.delete(id);
      streams.set(id, sent);
    }
  }

  async function refused(response: IncomingMessage, message: Message): Promise<void> {
    const status = response.statusCode ?? 0;
    const text = (await readText(response, 64 * 1024)) ?? '';
    const id = numberOf(message);
    if (status === 404 && session !== undefined) {
      // The server forgot us, so it did not run this request either.
      const gone = new AppError('unavailable', 'The server forgot its session; connecting anew.', {
        data: { notExecuted: true },
      });
      if (id !== undefined) events.failed(id, gone);
      return die(gone);
    }
    if (id === undefined) return;
    const error = rpcErrorIn(text);
    if (error) return events.message({ jsonrpc: '2.0', id, error }, id, undefined);
    if (status === 401 || status === 403) {
      return events.failed(
        id,
        new AppError(
          'unavailable',
          `The server refuses our credentials (HTTP ${status}). Check its "headers" in the configuration.`,
          { data: { status } },
        ),
      );
    }
    const hint = text.startsWith('<') || text === '' ? '' : `: ${text.slice(0, 200)}`;
    events.failed(id, new AppError('unavailable', `The server answered HTTP ${status}${hint}`, { data: { status } }));
  }

  function respond(response: IncomingMessage, message: Message): void {
    const id = numberOf(message);
    const status = response.statusCode ?? 0;
    const given = response.headers['mcp-session-id'];
    if (typeof given === 'string' && session === undefined && 'method' in message && message.method === 'initialize')
      session = given;
    if (status < 200 || status >= 300) {
      if (id !== undefined) streams.delete(id);
      return void refused(response, message);
    }
    if (id === undefined || status === 202) {
      response.resume();
      if (id !== undefined) {
        streams.delete(id);
        events.failed(id, new AppError('unavailable', 'The server accepted the request but gave no answer.'));
      }
      return;
    }
    if (response.headers['content-type']?.includes('text/event-stream')) {
      return readStream(response, id, (end) => {
        if (end.answered || !streams.get(id)) return void streams.delete(id);
        if (!modern && end.lastEventId !== undefined) return resume(id, end.lastEventId, end.retryMs);
        streams.delete(id);
        events.failed(
          id,
          new AppError(
            'unavailable',
            'The connection to the server broke off before it answered; whether the call took effect is not known.',
          ),
        );
      });
    }
    void readText(response, MESSAGE_LIMIT).then((text) => {
      streams.delete(id);
      if (text === undefined) events.failed(id, tooLarge(Number(response.headers['content-length']) || undefined));
      else if (!receiveText(text, events, id))
        events.failed(id, new AppError('unavailable', 'The server gave no JSON-RPC answer to this request.'));
    });
  }

  /** The stream on which a 2025 server sends what belongs to no request. */
  function openStanding(tries: number, lastEventId: string | undefined): void {
    if (closed || modern) return;
    signed(
      (own) => closed || take(own),
      // Whoever calls next is told.
      () => {},
    );
    function take(own: Headers): void {
      standing = client.request(
        options.url,
        {
          method: 'GET',
          headers: streamHeaders(own, lastEventId),
        },
        (response) => {
          if (response.statusCode === 200)
            return readStream(response, undefined, (end) => again(end.retryMs, 0, end.lastEventId ?? lastEventId));
          // 405 means that it has none, which is its right.
          void canAskAgain(response, own).then((may) => may && tries < RESUME_TRIES && wait());
        },
        wait,
      );
    }
    function wait(): void {
      again(Math.min(30_000, 500 * 2 ** tries), tries + 1, lastEventId);
    }
    function again(ms: number, next: number, id: string | undefined): void {
      if (!closed) setTimeout(() => openStanding(next, id), ms).unref();
    }
  }

  async function ownHeaders(): Promise<Headers | undefined> {
    try {
      return await (credentials?.headers() ?? unsigned);
    } catch {
      return undefined;
    }
  }

  function post(message: Message, body: string, headers: Headers | undefined, again: boolean): void {
    if (!credentials) return transmit(message, body, headers, unsigned, again);
    const held = credentials.headers();
    if (!(held instanceof Promise)) return transmit(message, body, headers, held, again);
    const id = numberOf(message);
    if (id !== undefined) preparing.add(id);
    held
      .then((own) => {
        if (closed || (id !== undefined && !preparing.delete(id))) return;
        transmit(message, body, headers, own, again);
      })
      .catch((error: unknown) => {
        if (id === undefined) return;
        preparing.delete(id);
        events.failed(id, toAppError(error));
      });
  }

  /** What is refused for its credentials was not run, so it may be sent again with others: once. */
  async function challenged(response: IncomingMessage, { message, body, headers, own, again }: Sent): Promise<void> {
    const id = numberOf(message);
    const { statusCode: status = 0, headers: answered } = response;
    const verdict = await credentials?.refused(status, answered['www-authenticate'], own).catch(toAppError);
    if (verdict === undefined || (verdict === 'retry' && again)) return respond(response, message);
    response.resume();
    if (closed || (id !== undefined && !streams.delete(id))) return;
    if (verdict === 'retry') post(message, body, headers, true);
    else if (id !== undefined) events.failed(id, verdict);
  }

  function transmit(message: Message, body: string, headers: Headers | undefined, own: Headers, again: boolean): void {
    const id = numberOf(message);
    const all: Record<string, string> = {
      ...options.headers,
      ...own,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': String(Buffer.byteLength(body)),
    };
    if (modern || (isRequest(message) && message.method === 'server/discover')) {
      all['mcp-protocol-version'] = MODERN;
      if ('method' in message) {
        all['mcp-method'] = message.method;
        const name = mcpName(message.method, message.params);
        if (name !== undefined) all['mcp-name'] = encodeHeader(name);
      }
    } else Object.assign(all, sessionHeaders());
    if (headers) Object.assign(all, headers);
    const sent = client.request(
      options.url,
      { method: 'POST', headers: all, body },
      (response) => {
        const { statusCode: status } = response;
        if (credentials && (status === 401 || status === 403))
          void challenged(response, { message, body, headers, own, again });
        else respond(response, message);
      },
      (error) => {
        if (id === undefined || !streams.delete(id)) return;
        const refusedConnection = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
        events.failed(
          id,
          new AppError('unavailable', `The server at ${options.url.origin} cannot be reached: ${error.message}`, {
            cause: error,
            data: { notExecuted: refusedConnection },
          }),
        );
      },
    );
    if (id !== undefined) streams.set(id, sent);
  }

  return {
    kind: 'http',
    send(message, headers) {
      if (!closed) post(message, JSON.stringify(message), headers, false);
    },
    drop(id) {
      preparing.delete(id);
      const sent = streams.get(id);
      streams.delete(id);
      sent?.destroy();
    },
    settled(negotiated, isModern) {
      version = negotiated;
      modern = isModern;
      if (!modern) openStanding(0, undefined);
    },
    async close() {
      if (closed) return;
      closed = true;
      standing?.destroy();
      for (const sent of streams.values()) sent.destroy();
      // A session that cannot be ended for want of credentials ends by itself.
      const own = session === undefined ? undefined : await ownHeaders();
      if (own) {
        await new Promise<void>((resolve) => {
          const sent = client.request(
            options.url,
            { method: 'DELETE', headers: { ...options.headers, ...own, ...sessionHeaders() } },
            (response) => {
              response.resume();
              response.on('close', () => resolve());
            },
            () => resolve(),
          );
          sent.setTimeout(2000, () => sent.destroy());
        });
      }
      client.destroy();
    },
  };
}

/** Requests to backends are numbered by us. */
function numberOf(message: Message): number | undefined {
  return isRequest(message) ? (message.id as number) : undefined;
}

function rpcErrorIn(text: string): { code: number; message: string; data?: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const error = isObject(parsed) ? parsed.error : undefined;
    if (isObject(error) && typeof error.code === 'number') {
      return {
        code: error.code,
        message: typeof error.message === 'string' ? error.message : '',
        ...(error.data !== undefined && { data: error.data }),
      };
    }
  } catch {
    // Not JSON: an HTML page or plain text.
  }
  return undefined;
}
