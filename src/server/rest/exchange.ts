import { randomUUID } from 'node:crypto';
import type { Id } from '../../wire/jsonrpc.ts';
import { type Trace, traceFrom, traceparent } from '../../kernel/trace.ts';

/** One REST request and what its answer repeats: its id, its trace and how long it took. */
export interface RestExchange {
  readonly id: string;
  /** The id of the JSON-RPC request in the body, once it is known. */
  answers: Id;
  readonly trace: Trace;
  /** Milliseconds since it arrived, with two decimals. */
  elapsed(): number;
  /** Answers with JSON. A string is JSON already. */
  reply(body: object | string, status?: number, headers?: Record<string, string>): Response;
}

const known = new WeakMap<Request, RestExchange>();

/** The same exchange for everything that handles the request, so that errors carry the id that is in the log. */
export function exchangeOf(request: Request): RestExchange {
  let exchange = known.get(request);
  if (!exchange) {
    exchange = openExchange(request.headers);
    known.set(request, exchange);
  }
  return exchange;
}

/** Keeps the exchange when another request object replaces the original. */
export function continueExchange(from: Request, to: Request): void {
  known.set(to, exchangeOf(from));
}

function openExchange(headers: Headers): RestExchange {
  const started = performance.now();
  const given = headers.get('x-request-id');
  // The id is repeated in headers and logs: accept only harmless ones.
  const id = given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  const trace = traceFrom({
    traceparent: headers.get('traceparent') ?? undefined,
    tracestate: headers.get('tracestate') ?? undefined,
    baggage: headers.get('baggage') ?? undefined,
  });
  return {
    id,
    answers: id,
    trace,
    elapsed: () => Math.round((performance.now() - started) * 100) / 100,
    reply: (body, status = 200, more = {}) =>
      new Response(typeof body === 'string' ? body : JSON.stringify(body), {
        status,
        headers: {
          'content-type': 'application/json',
          'cache-control': 'no-store',
          'x-request-id': id,
          traceparent: traceparent(trace),
          ...more,
        },
      }),
  };
}
