import { randomUUID } from 'node:crypto';
import type { Id } from '../../wire/jsonrpc.ts';
import { type Trace, traceFrom, traceparent } from '../../kernel/trace.ts';

/** One REST request and what its answer repeats: the id it goes by, the trace it belongs to, how long it took. */
export interface RestExchange {
  readonly id: string;
  /** The id of the JSON-RPC request in its body, once that is known. */
  answers: Id;
  readonly trace: Trace;
  /** Milliseconds since it came, to two places. */
  elapsed(): number;
  /** An answer in JSON; a text is JSON already. */
  reply(body: object | string, status?: number, headers?: Record<string, string>): Response;
}

const known = new WeakMap<Request, RestExchange>();

/** The same for everyone who handles the request: an error that ends it carries the id that its log lines do. */
export function exchangeOf(request: Request): RestExchange {
  let exchange = known.get(request);
  if (!exchange) {
    exchange = openExchange(request.headers);
    known.set(request, exchange);
  }
  return exchange;
}

/** A request that takes the place of another one keeps what its answer repeats. */
export function continueExchange(from: Request, to: Request): void {
  known.set(to, exchangeOf(from));
}

function openExchange(headers: Headers): RestExchange {
  const started = performance.now();
  const given = headers.get('x-request-id');
  // It is repeated in headers and logs, so only what is harmless there is taken over.
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
