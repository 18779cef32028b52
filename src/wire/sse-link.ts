import { AppError, toAppError } from '../kernel/errors.ts';
import { createHttpClient, type HttpLinkOptions, readText } from './http-link.ts';
import { receiveText } from './incoming.ts';
import { isRequest } from './jsonrpc.ts';
import { idInEnds, type Link, type LinkEvents, MESSAGE_LIMIT, tooLarge } from './link.ts';
import { createSseReader } from './sse.ts';

/** The legacy HTTP+SSE transport: one stream down, POSTs up to the URL it names. */
export function openSseLink(options: HttpLinkOptions, events: LinkEvents, signal: AbortSignal): Promise<Link> {
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
    const fail = (message: string, cause?: unknown) => {
      const error = new AppError('unavailable', message, { cause });
      if (endpoint) die(error);
      else {
        client.destroy();
        reject(error);
      }
    };

    const stream = client.request(
      options.url,
      { method: 'GET', headers: { ...options.headers, accept: 'text/event-stream' } },
      (response) => {
        if (response.statusCode !== 200 || !response.headers['content-type']?.includes('text/event-stream')) {
          response.resume();
          return fail(`${options.url.origin} gave no event stream (HTTP ${response.statusCode}).`);
        }
        response.on(
          'data',
          createSseReader({
            limit: MESSAGE_LIMIT,
            onEvent(event) {
              if (event.event === 'endpoint') {
                const named = URL.parse(event.data, options.url.href);
                if (named?.origin !== options.url.origin)
                  return fail('The server named a message URL of another origin; that is not followed.');
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
        response.on('close', () => fail('The event stream ended.'));
      },
      (error) => fail(`The server at ${options.url.origin} cannot be reached: ${error.message}`, error),
    );
    // Until it has named its URL there is no link that could be closed.
    signal.addEventListener('abort', () => !endpoint && stream.destroy(toAppError(signal.reason)), { once: true });

    const link: Link = {
      kind: 'sse',
      send(message) {
        if (closed || !endpoint) return;
        const body = JSON.stringify(message);
        const lost = (error: AppError) => {
          if (isRequest(message)) events.failed(message.id, error);
        };
        client.request(
          endpoint,
          {
            method: 'POST',
            headers: {
              ...options.headers,
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(body)),
            },
            body,
          },
          (response) => {
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) return void response.resume();
            void readText(response, 4096).then(() =>
              lost(
                new AppError('unavailable', `The server answered HTTP ${status} to the message.`, {
                  data: { status, notExecuted: status === 404 },
                }),
              ),
            );
          },
          (error) =>
            lost(new AppError('unavailable', `The message could not be delivered: ${error.message}`, { cause: error })),
        );
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
