import type { ServerResponse } from 'node:http';
import type { AppError } from '../kernel/errors.ts';
import { toWrite } from '../kernel/large-text.ts';
import { isSame } from '../kernel/principal.ts';
import type { Allowances } from './allowance.ts';
import { ClientConnection } from './connection.ts';
import type { Expiries } from './expiries.ts';
import { type Inbound, isRoomForStream, readMessage, refuse, sizeOf, traceOf } from './http-inbound.ts';
import { openEventStream } from './http-reply.ts';
import { BATCH_REFUSED } from './http-sessions.ts';
import { asMessage, code, isNotification, isResponse, type Message, responseText } from './jsonrpc.ts';
import type { Service } from './service.ts';
import { sseComment, sseFrame, sseKeepAlive } from './sse.ts';

export const streamNotFound = { code: code.sessionNotFound, message: 'Session not found: open GET /sse again.' };

interface SseStream {
  connection: ClientConnection;
  response: ServerResponse;
  /** Sends a message that is not an answer. */
  notify(text: string): void;
  answer(text: string, onRead?: () => void): void;
  /** Latest expiry of the tokens it was used with. */
  expires: number;
  end(): void;
}

/** The legacy pair of 2024-11-05: a stream for everything the server sends, and a URL for messages. */
export function createSseFront(
  service: Service,
  {
    isTooMuch,
    limits,
    expiries,
    newId,
  }: Pick<Allowances, 'limits'> & {
    isTooMuch(messages: number, inbound: Inbound): boolean | Promise<boolean>;
    expiries: Expiries;
    newId(): string;
  },
) {
  const streams = new Map<string, SseStream>();

  return {
    size: () => streams.size,
    busy: () => [...streams.values()].some(({ connection }) => connection.busy),

    open(inbound: Inbound): void {
      if (!isRoomForStream(inbound, limits().streams)) return;
      const { response, principal, view, allowance } = inbound;
      const id = newId();
      const answer = (text: string, onRead?: () => void) => {
        response.write(toWrite(sseFrame(text)));
        allowance.unread.wrote(response, onRead);
      };
      const notify = (text: string) => {
        if (allowance.unread.mayNotify(response)) answer(text);
      };
      const standing = { canAsk: () => true, send: notify };
      const connection = new ClientConnection({ id, principal, view, service, standing });
      const expires = principal.expires ?? Number.POSITIVE_INFINITY;
      const stream = { connection, response, notify, answer, expires, end: () => void response.end() };
      streams.set(id, stream);
      openEventStream(response);
      response.write(sseFrame(`/message?sessionId=${id}`, undefined, 'endpoint'));
      if (Number.isFinite(expires)) expiries.add(stream);
      response.on('close', () => {
        streams.delete(id);
        expiries.remove(stream);
        connection.close();
      });
    },

    async post(inbound: Inbound, sessionId: string | null, bodyLimit: number): Promise<void> {
      const { request, response, principal } = inbound;
      const stream = streams.get(sessionId ?? '');
      if (!stream || !isSame(stream.connection.principal, principal)) {
        const message =
          sessionId === null
            ? 'Missing sessionId: use the URL that the endpoint event of GET /sse gave.'
            : streamNotFound.message;
        return refuse(response, sessionId === null ? 400 : 404, { code: code.sessionNotFound, message });
      }
      stream.expires = Math.max(stream.expires, principal.expires ?? Number.POSITIVE_INFINITY);
      const body = await readMessage(inbound, bodyLimit);
      if (body === undefined) return;
      const { connection } = stream;
      // The stream may have ended while the body arrived, because its key was revoked.
      if (stream.response.writableEnded) return refuse(response, 404, streamNotFound);
      if (Array.isArray(body) && (body.length === 0 || connection.client.version !== '2025-03-26')) {
        return refuse(response, 400, { code: code.invalidRequest, message: BATCH_REFUSED });
      }
      const messages = (Array.isArray(body) ? body : [body]).map(asMessage);
      const invalid = messages.find((message) => 'invalid' in message);
      if (invalid && 'invalid' in invalid) {
        return refuse(response, 400, { code: code.invalidRequest, message: `Invalid request: ${invalid.invalid}.` });
      }
      const tooMuch = isTooMuch(messages.length, inbound);
      if (tooMuch instanceof Promise ? await tooMuch : tooMuch) return;
      response.writeHead(202).end('Accepted');
      const channel = { canAsk: () => true, send: stream.notify };
      await Promise.all(
        (messages as Message[]).map(async (message) => {
          if (isResponse(message)) connection.response(message);
          else if (isNotification(message)) connection.notification(message);
          else {
            const answer = await connection.request(message, channel, {
              trace: traceOf(request, message),
              bytes: sizeOf(request),
            });
            if (answer) stream.answer(responseText(message.id, answer), answer.release);
          }
        }),
      );
    },

    keepAlive(): void {
      for (const { response } of streams.values()) if (response.writableLength === 0) response.write(sseKeepAlive);
    },

    stop(reason: AppError): void {
      for (const { connection } of streams.values()) connection.close(reason);
    },

    end(reason: AppError, principals?: ReadonlySet<string>): void {
      for (const { connection, response } of streams.values()) {
        if (!principals || principals.has(connection.principal.id)) response.end(sseComment(reason.message));
      }
    },
  };
}
