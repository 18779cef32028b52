import type { ServerResponse } from 'node:http';
import type { Principal } from '../kernel/principal.ts';
import type { ClientFacts } from '../kernel/source.ts';
import type { Allowances } from './allowance.ts';
import type { Expiries } from './expiries.ts';
import {
  conclude,
  type DueReplies,
  type Inbound,
  isRoomForStream,
  paramHeaders,
  refuse,
  soleExchange,
  stopAtClose,
} from './http-inbound.ts';
import { acceptsOf, HttpReply, openEventStream } from './http-reply.ts';
import { code, errorOutcome, isObject, type Request, responseText } from './jsonrpc.ts';
import { headerMismatch, readEnvelope, statusOf, unsupportedVersion } from './modern.ts';
import type { Service, SubscriptionFilter } from './service.ts';
import { sseFrame, sseKeepAlive } from './sse.ts';
import { MODERN, meta } from './versions.ts';

/** 2026-07-28 over HTTP: every request is independent. */
export function createModernFront(
  service: Service,
  due: DueReplies,
  { limits, expiries }: Pick<Allowances, 'limits'> & { expiries: Expiries },
) {
  const listening = new Set<{ response: ServerResponse; principal: Principal; end(): void }>();

  async function serve(message: Request, client: ClientFacts, inbound: Inbound): Promise<void> {
    const { request, response } = inbound;
    const { unread } = inbound.allowance;
    const reply = new HttpReply(response, { accepts: acceptsOf(request.headers.accept), unread });
    // Closing the stream is how a 2026 client cancels.
    const stop = stopAtClose(response, 'The client closed the stream.');
    const number = due.add(reply, stop);
    const exchange = soleExchange(inbound, message, {
      client,
      stop,
      reply,
      paramHeaders: paramHeaders(request),
      unasked: () => errorOutcome(code.internal, 'A 2026-07-28 client must be asked with an input_required result.'),
    });
    const answer = exchange.held(await service.request(message, exchange));
    due.settle(number);
    // For the client 404 means an unknown method. A backend that reports one for something else is an ordinary error.
    const ordinary = !('error' in answer) || (answer.error.code === code.methodNotFound && !answer.unknownMethod);
    conclude(inbound, reply, message.id, answer, ordinary ? 200 : statusOf(answer.error));
  }

  async function listen(message: Request, client: ClientFacts, inbound: Inbound): Promise<void> {
    const { response, principal, view, allowance } = inbound;
    const filter = message.params?.notifications;
    if (!isObject(filter)) {
      const missing = 'Invalid params: notifications is required.';
      return refuse(response, 200, { code: code.invalidParams, message: missing }, message.id);
    }
    if (!isRoomForStream(inbound, limits().streams)) return;
    const stamp = { [meta.subscriptionId]: message.id };
    const deliver = (method: string, params: Record<string, unknown>) => {
      const stamped = { ...params, _meta: { ...(params._meta as object), ...stamp } };
      if (response.writableEnded || !allowance.unread.mayNotify(response)) return;
      response.write(sseFrame(JSON.stringify({ jsonrpc: '2.0', method, params: stamped })));
      allowance.unread.wrote(response);
    };
    openEventStream(response);
    const open = {
      response,
      principal,
      expires: principal.expires ?? Number.POSITIVE_INFINITY,
      end: () => {
        const result = { resultType: 'complete', _meta: { ...stamp, [meta.serverInfo]: service.serverInfo } };
        response.end(sseFrame(responseText(message.id, { result })));
      },
    };
    listening.add(open);
    if (Number.isFinite(open.expires)) expiries.add(open);
    let isOver = false;
    let stop: (() => void) | undefined;
    response.on('close', () => {
      listening.delete(open);
      expiries.remove(open);
      isOver = true;
      stop?.();
    });
    const listener = { principal, view, client, filter: filter as SubscriptionFilter, deliver };
    const started = await service.listen(listener);
    if (isOver) return started.stop();
    const { honoured } = started;
    stop = started.stop;
    if (Object.keys(honoured).length === 0 && !response.writableEnded) open.end();
  }

  return {
    post(message: Request, inbound: Inbound): Promise<void> | void {
      const { request, response } = inbound;
      const envelope = readEnvelope(message.params);
      if ('error' in envelope) return refuse(response, 400, envelope.error, message.id);
      const { client } = envelope;
      const mismatch = headerMismatch(request.headers, message, client.version);
      if (client.version !== MODERN && (!mismatch || !request.headers['mcp-protocol-version'])) {
        return refuse(response, 400, unsupportedVersion(client.version), message.id);
      }
      if (mismatch) return refuse(response, 400, mismatch, message.id);
      return message.method === 'subscriptions/listen'
        ? listen(message, client, inbound)
        : serve(message, client, inbound);
    },
    keepAlive(): void {
      for (const { response } of listening) if (response.writableLength === 0) response.write(sseKeepAlive);
    },
    end(principals?: ReadonlySet<string>): void {
      for (const open of listening) if (!principals || principals.has(open.principal.id)) open.end();
    },
  };
}
