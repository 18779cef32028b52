import type { ClientRequest, IncomingMessage } from 'node:http';
import { AppError, toAppError } from '../kernel/errors.ts';
import { type Headers, type HttpLinkState, sessionHeaders, signed } from './http-link-state.ts';
import { receiveText } from './incoming.ts';
import type { Id } from './jsonrpc.ts';
import { type LinkEvents, MESSAGE_LIMIT, tooLarge } from './link.ts';
import { room } from './room.ts';
import { createSseReader } from './sse.ts';

export const RESUME_TRIES = 5;
/** Bounds for the retry time a server sends: not at once forever, nor beyond what a timer supports. */
const RETRY_MIN_MS = 10;
const RETRY_MAX_MS = 60_000;
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/;

/** Reads an event stream to its end. Reports whether the request was answered and where to resume. */
export function readStream(
  events: LinkEvents,
  response: IncomingMessage,
  origin: Id | undefined,
  onEnd: (state: { answered: boolean; lastEventId?: string; retryMs: number }) => void,
): void {
  let answered = false;
  let lastEventId: string | undefined;
  let retryMs = 1000;
  const read = createSseReader({
    limit: MESSAGE_LIMIT,
    onGrown: (bytes) => room.keeps(response, bytes),
    onEvent(event) {
      // It is sent back in a header, which cannot carry every text.
      if (event.id !== undefined) lastEventId = SENDABLE.test(event.id) ? event.id : undefined;
      if (
        event.data !== '' &&
        (event.event === undefined || event.event === 'message') &&
        receiveText(event.data, events, origin)
      )
        answered = true;
    },
    onRetry: (ms) => {
      retryMs = Math.min(RETRY_MAX_MS, Math.max(RETRY_MIN_MS, ms));
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

/** Requests a stream from the server, from its start or from where it ended. */
export function requestStream(
  state: HttpLinkState,
  from: { own: Headers; lastEventId: string | undefined },
  onResponse: (response: IncomingMessage) => void,
  onError: () => void,
): ClientRequest {
  const { options, client } = state;
  const headers = {
    ...options.headers,
    ...from.own,
    ...sessionHeaders(state),
    accept: 'text/event-stream',
    ...(from.lastEventId !== undefined && { 'last-event-id': from.lastEventId }),
  };
  return client.request(options.url, { method: 'GET', headers }, onResponse, onError);
}

/** Whether a refused stream can be requested again with other credentials. */
export async function canAskAgain(
  { options: { credentials } }: HttpLinkState,
  response: IncomingMessage,
  own: Headers,
): Promise<boolean> {
  response.resume();
  const { statusCode: status = 0, headers } = response;
  if (!credentials || (status !== 401 && status !== 403)) return false;
  return (await credentials.refused(status, headers['www-authenticate'], own).catch(toAppError)) === 'retry';
}

/** Resumes a 2025 stream where it broke off. */
export function resumeStream(state: HttpLinkState, id: number, lastEventId: string, retryMs: number, tries = 0): void {
  const { events, streams } = state;
  const lost = (why: string) => {
    streams.delete(id);
    events.failed(
      id,
      new AppError(
        'unavailable',
        `The stream of this call broke off and could not be resumed (${why}). It is unknown whether the call took effect.`,
        { data: { notExecuted: false } },
      ),
    );
  };
  if (state.closed) return;
  if (tries >= RESUME_TRIES) return lost(`${tries} tries`);
  setTimeout(() => {
    signed(
      state,
      (own) => state.closed || !streams.get(id) || take(own),
      ({ message }) => lost(message),
    );
  }, retryMs);

  function take(own: Headers): void {
    const sent = requestStream(
      state,
      { own, lastEventId },
      (response) => {
        if (response.statusCode !== 200) {
          return void canAskAgain(state, response, own).then((again) =>
            again ? resumeStream(state, id, lastEventId, retryMs, tries + 1) : lost(`HTTP ${response.statusCode}`),
          );
        }
        readStream(events, response, id, (end) => {
          if (end.answered) streams.delete(id);
          else if (streams.get(id)) {
            const next = end.lastEventId === undefined ? tries + 1 : 0;
            resumeStream(state, id, end.lastEventId ?? lastEventId, end.retryMs, next);
          }
        });
      },
      () => resumeStream(state, id, lastEventId, retryMs, tries + 1),
    );
    streams.delete(id);
    streams.set(id, sent);
  }
}
