import type { IncomingMessage } from 'node:http';
import { AppError, toAppError } from '../kernel/errors.ts';
import { neverSent } from '../kernel/unreachable.ts';
import { readText } from './http-client.ts';
import { readRefusal } from './http-link-refusal.ts';
import { createStandingStream } from './http-link-standing.ts';
import {
  createHttpLinkState,
  type Headers,
  type HttpLinkOptions,
  sessionHeaders,
  unsigned,
} from './http-link-state.ts';
import { readStream, resumeStream } from './http-link-stream.ts';
import { receiveText } from './incoming.ts';
import { type Id, isRequest, type Message } from './jsonrpc.ts';
import { type Link, type LinkEvents, MESSAGE_LIMIT, tooLarge } from './link.ts';
import { mcpName } from './modern.ts';
import { encodeHeader } from './param-headers.ts';
import { room } from './room.ts';
import { MODERN } from './versions.ts';

/** A sent message, so that it can be sent again. */
interface Sent {
  message: Message;
  body: string;
  headers: Headers | undefined;
  /** The credentials it was sent with. */
  own: Headers;
  again: boolean;
}

/** Streamable HTTP to a backend, both eras. */
export function openHttpLink(options: HttpLinkOptions, events: LinkEvents): Link {
  const state = createHttpLinkState(options, events);
  const standing = createStandingStream(state);
  const { client, streams } = state;
  const { credentials } = options;
  /** Requests waiting for credentials. */
  const preparing = new Set<Id>();

  function die(error: AppError): void {
    if (state.closed) return;
    state.closed = true;
    standing.destroy();
    client.destroy();
    events.closed(error);
  }

  async function refused(response: IncomingMessage, message: Message): Promise<void> {
    const status = response.statusCode ?? 0;
    const text = (await readText(response, 64 * 1024)) ?? '';
    const id = numberOf(message);
    if (status === 404 && state.session !== undefined) {
      // The server forgot the session, so it did not run this request either.
      const gone = new AppError('unavailable', 'The server forgot its session. Reconnecting.', {
        data: { notExecuted: true },
      });
      if (id !== undefined) events.failed(id, gone);
      return die(gone);
    }
    if (id === undefined) return;
    const refusal = readRefusal(status, text);
    if (refusal instanceof AppError) events.failed(id, refusal);
    else events.message({ jsonrpc: '2.0', id, error: refusal.rpc }, id, undefined);
  }

  function respond(response: IncomingMessage, message: Message): void {
    const id = numberOf(message);
    const status = response.statusCode ?? 0;
    const given = response.headers['mcp-session-id'];
    const opens = state.session === undefined && 'method' in message && message.method === 'initialize';
    if (status < 200 || status >= 300) {
      if (id !== undefined) streams.delete(id);
      return void refused(response, message);
    }
    if (opens && typeof given === 'string') state.session = given;
    if (id === undefined || status === 202) {
      response.resume();
      if (id !== undefined) {
        streams.delete(id);
        events.failed(id, new AppError('unavailable', 'The server accepted the request but gave no answer.'));
      }
      return;
    }
    if (response.headers['content-type']?.includes('text/event-stream')) {
      return readStream(events, response, id, (end) => {
        if (end.answered || !streams.get(id)) return void streams.delete(id);
        if (!state.modern && end.lastEventId !== undefined)
          return resumeStream(state, id, end.lastEventId, end.retryMs);
        streams.delete(id);
        events.failed(
          id,
          new AppError(
            'unavailable',
            'The connection to the server broke off before it answered. It is unknown whether the call took effect.',
            { data: { notExecuted: false } },
          ),
        );
      });
    }
    void readText(response, MESSAGE_LIMIT, (bytes) => room.keeps(response, bytes)).then((text) => {
      streams.delete(id);
      if (text === undefined) events.failed(id, tooLarge(Number(response.headers['content-length']) || undefined));
      else if (!receiveText(text, events, id))
        events.failed(id, new AppError('unavailable', 'The server gave no JSON-RPC answer to this request.'));
      room.keeps(response, 0);
    });
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
        if (state.closed || (id !== undefined && !preparing.delete(id))) return;
        transmit(message, body, headers, own, again);
      })
      .catch((error: unknown) => {
        if (id === undefined) return;
        preparing.delete(id);
        events.failed(id, toAppError(error));
      });
  }

  /** A request refused for its credentials was not run, so it may be sent again with new ones, once. */
  async function challenged(response: IncomingMessage, { message, body, headers, own, again }: Sent): Promise<void> {
    const id = numberOf(message);
    const { statusCode: status = 0, headers: answered } = response;
    const verdict = await credentials?.refused(status, answered['www-authenticate'], own).catch(toAppError);
    if (verdict === undefined || (verdict === 'retry' && again)) return respond(response, message);
    response.resume();
    if (state.closed || (id !== undefined && !streams.delete(id))) return;
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
    if (state.modern || (isRequest(message) && message.method === 'server/discover')) {
      all['mcp-protocol-version'] = MODERN;
      if ('method' in message) {
        all['mcp-method'] = message.method;
        const name = mcpName(message.method, message.params);
        if (name !== undefined) all['mcp-name'] = encodeHeader(name);
      }
    } else Object.assign(all, sessionHeaders(state));
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
        events.failed(
          id,
          new AppError('unavailable', `The server at ${options.url.origin} cannot be reached: ${error.message}`, {
            cause: error,
            data: { notExecuted: neverSent(error) },
          }),
        );
      },
    );
    if (id !== undefined) streams.set(id, sent);
  }

  return {
    kind: 'http',
    get hasSession() {
      return state.session !== undefined;
    },
    send(message, headers) {
      if (!state.closed) post(message, JSON.stringify(message), headers, false);
    },
    drop(id) {
      preparing.delete(id);
      const sent = streams.get(id);
      streams.delete(id);
      sent?.destroy();
    },
    settled(negotiated, isModern) {
      state.version = negotiated;
      state.modern = isModern;
      if (!isModern) standing.open();
    },
    async close() {
      if (state.closed) return;
      state.closed = true;
      standing.destroy();
      for (const sent of streams.values()) sent.destroy();
      // Without credentials the session cannot be ended. It will expire on its own.
      const own = state.session === undefined ? undefined : await ownHeaders();
      if (own) {
        await new Promise<void>((resolve) => {
          const sent = client.request(
            options.url,
            { method: 'DELETE', headers: { ...options.headers, ...own, ...sessionHeaders(state) } },
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

/** We number the requests to backends ourselves. */
function numberOf(message: Message): number | undefined {
  return isRequest(message) ? (message.id as number) : undefined;
}
