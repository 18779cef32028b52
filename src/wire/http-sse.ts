import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { AppError } from '../kernel/errors.ts';
import { isSame } from '../kernel/principal.ts';
import { ClientConnection } from './connection.ts';
import { type Inbound, readMessage, refuse, sizeOf, traceOf } from './http-inbound.ts';
import { openEventStream } from './http-reply.ts';
import { BATCH_REFUSED } from './http-sessions.ts';
import { asMessage, code, isNotification, isResponse, type Message, responseText } from './jsonrpc.ts';
import type { Service } from './service.ts';
import { sseFrame, sseKeepAlive } from './sse.ts';

/** The legacy pair of 2024-11-05: a stream for everything the server says, and a URL to send messages to. */
export function createSseFront(service: Service, isTooMuch: (messages: number, inbound: Inbound) => boolean) {
  const streams = new Map<string, { connection: ClientConnection; response: ServerResponse }>();

  return {
    size: () => streams.size,
    busy: () => [...streams.values()].some(({ connection }) => connection.busy),

    open({ response, principal, view }: Inbound): void {
      const id = randomUUID();
      const send = (text: string) => response.write(sseFrame(text));
      const connection = new ClientConnection({ id, principal, view, service, standing: { canAsk: () => true, send } });
      streams.set(id, { connection, response });
      openEventStream(response);
      response.write(sseFrame(`/message?sessionId=${id}`, undefined, 'endpoint'));
      response.on('close', () => {
        streams.delete(id);
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
            : 'Session not found: open GET /sse again.';
        return refuse(response, sessionId === null ? 400 : 404, { code: code.sessionNotFound, message });
      }
      const body = await readMessage(request, response, bodyLimit);
      if (body === undefined) return;
      const { connection } = stream;
      // It may have ended while the body came, because its key was revoked.
      if (stream.response.writableEnded)
        return refuse(response, 404, {
          code: code.sessionNotFound,
          message: 'Session not found: open GET /sse again.',
        });
      if (Array.isArray(body) && (body.length === 0 || connection.client.version !== '2025-03-26')) {
        return refuse(response, 400, { code: code.invalidRequest, message: BATCH_REFUSED });
      }
      const messages = (Array.isArray(body) ? body : [body]).map(asMessage);
      const invalid = messages.find((message) => 'invalid' in message);
      if (invalid && 'invalid' in invalid) {
        return refuse(response, 400, { code: code.invalidRequest, message: `Invalid request: ${invalid.invalid}.` });
      }
      if (isTooMuch(messages.length, inbound)) return;
      response.writeHead(202).end('Accepted');
      const channel = { canAsk: () => true, send: (text: string) => stream.response.write(sseFrame(text)) };
      await Promise.all(
        (messages as Message[]).map(async (message) => {
          if (isResponse(message)) connection.response(message);
          else if (isNotification(message)) connection.notification(message);
          else {
            const answer = await connection.request(message, channel, {
              trace: traceOf(request, message),
              bytes: sizeOf(request),
            });
            if (answer) channel.send(responseText(message.id, answer));
          }
        }),
      );
    },

    keepAlive(): void {
      for (const { response } of streams.values()) response.write(sseKeepAlive);
    },

    stop(reason: AppError): void {
      for (const { connection } of streams.values()) connection.close(reason);
    },

    end(principals?: ReadonlySet<string>): void {
      for (const { connection, response } of streams.values()) {
        if (!principals || principals.has(connection.principal.id)) response.end();
      }
    },
  };
}
