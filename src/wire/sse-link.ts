import { AppError, toAppError } from '../kernel/errors.ts';
import { neverSent } from '../kernel/unreachable.ts';
import { createHttpClient, readText } from './http-client.ts';
import type { Headers, HttpLinkOptions } from './http-link-state.ts';
import { receiveText } from './incoming.ts';
import { isRequest } from './jsonrpc.ts';
import { idInEnds, type Link, type LinkEvents, MESSAGE_LIMIT, tooLarge } from './link.ts';
import { room } from './room.ts';
import { createSseReader } from './sse.ts';

/** The stream was refused because of credentials. */
interface Refused {
  status: number;
  challenge: string | undefined;
}

/** The legacy HTTP+SSE transport: one stream down, POSTs up to the URL that it names. */
export async function openSseLink(options: HttpLinkOptions, events: LinkEvents, signal: AbortSignal): Promise<Link> {
  const { credentials } = options;
  const own = (await credentials?.headers()) ?? {};
  let opened = await openStream(options, own, events, signal);
  if ('kind' in opened) return opened;
  const verdict = await credentials?.refused(opened.status, opened.challenge, own);
  if (verdict === 'retry') opened = await openStream(options, (await credentials?.headers()) ?? {}, events, signal);
  if ('kind' in opened) return opened;
  throw verdict instanceof AppError ? verdict : noStream(options.url, opened.status);
}

function noStream(url: URL, status: number | undefined): AppError {
  return new AppError('unavailable', `${url.origin} gave no event stream (HTTP ${status}).`, { data: { status } });
}

function openStream(
  options: HttpLinkOptions,
  own: Headers,
  events: LinkEvents,
  signal: AbortSignal,
): Promise<Link | Refused> {
  const { credentials } = options;
  const client = createHttpClient(options);
  let closed = false;

  function die(error: AppError): void {
    if (closed) return;
    closed = true;
    client.destroy();
    events.closed(error);
  }

  return new Promise((resolve, reject) => {
    let endpoint: URL | undefined;
    const fail = (error: AppError) => {
      if (endpoint) die(error);
      else {
        client.destroy();
        reject(error);
      }
    };

    const stream = client.request(
      options.url,
      { method: 'GET', headers: { ...options.headers, ...own, accept: 'text/event-stream' } },
      (response) => {
        const { statusCode: status = 0 } = response;
        if (credentials && (status === 401 || status === 403)) {
          response.resume();
          client.destroy();
          return resolve({ status, challenge: response.headers['www-authenticate'] });
        }
        if (response.statusCode !== 200 || !response.headers['content-type']?.includes('text/event-stream')) {
          response.resume();
          return fail(noStream(options.url, response.statusCode));
        }
        response.on(
          'data',
          createSseReader({
            limit: MESSAGE_LIMIT,
            onGrown: (bytes) => room.keeps(response, bytes),
            onEvent(event) {
              if (event.event === 'endpoint') {
                const named = URL.parse(event.data, options.url.href);
                if (named?.origin !== options.url.origin)
                  return fail(
                    new AppError(
                      'unavailable',
                      'The server named a message URL on another origin. Sluice does not use it.',
                    ),
                  );
                endpoint = named;
                return resolve(link);
              }
              receiveText(event.data, events);
            },
            onTooLong({ head, tail, bytes }) {
              const id = idInEnds(head, tail);
              if (id === undefined) events.noise(`an event of ${bytes} bytes, which is too large`);
              else events.failed(id, tooLarge(bytes));
            },
          }),
        );
        response.on('error', () => {});
        response.on('close', () => fail(new AppError('unavailable', 'The event stream ended.')));
      },
      (cause) =>
        fail(
          new AppError('unavailable', `The server at ${options.url.origin} cannot be reached: ${cause.message}`, {
            cause,
          }),
        ),
    );
    // Until the server has named its URL there is no link to close.
    signal.addEventListener('abort', () => !endpoint && stream.destroy(toAppError(signal.reason)), { once: true });

    function post(body: string, held: Headers, lost: (error: AppError) => void, again: boolean): void {
      if (closed || !endpoint) return;
      client.request(
        endpoint,
        {
          method: 'POST',
          headers: {
            ...options.headers,
            ...held,
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(body)),
          },
          body,
        },
        (response) => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) return void response.resume();
          void readText(response, 4096)
            .then(() => refusal(status, response.headers['www-authenticate'], held))
            .then(async (verdict) => {
              if (verdict instanceof AppError) return lost(verdict);
              if (verdict === 'retry' && !again && credentials)
                return post(body, await credentials.headers(), lost, true);
              lost(
                new AppError('unavailable', `The server answered HTTP ${status} to the message.`, {
                  data: { status, notExecuted: status === 404 },
                }),
              );
            })
            .catch((error: unknown) => lost(toAppError(error)));
        },
        (error) =>
          lost(
            new AppError('unavailable', `The message could not be delivered: ${error.message}`, {
              cause: error,
              data: { notExecuted: neverSent(error) },
            }),
          ),
      );
    }

    function refusal(status: number, challenge: string | undefined, held: Headers) {
      return status === 401 || status === 403 ? credentials?.refused(status, challenge, held) : undefined;
    }

    const link: Link = {
      kind: 'sse',
      send(message) {
        if (closed || !endpoint) return;
        const body = JSON.stringify(message);
        const lost = (error: AppError) => {
          if (isRequest(message)) events.failed(message.id, error);
        };
        const held = credentials ? credentials.headers() : own;
        if (held instanceof Promise)
          held.then((ready) => post(body, ready, lost, false)).catch((error: unknown) => lost(toAppError(error)));
        else post(body, held, lost, false);
      },
      drop() {},
      settled() {},
      async close() {
        closed = true;
        stream.destroy();
        client.destroy();
      },
    };
  });
}
