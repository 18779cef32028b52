import { randomFillSync } from 'node:crypto';

/** W3C trace context of one call. */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  /** The caller's span, if it sent one. */
  readonly parentId?: string;
  readonly sampled: boolean;
  readonly tracestate?: string;
  readonly baggage?: string;
}

// Version ff and all-zero ids are invalid. Later versions may append more after the flags.
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;

// Random bytes come from a pool, so that one system call serves 256 calls.
const pool = Buffer.alloc(24 * 256);
let used = pool.length;

function hex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const text = pool.toString('hex', used, used + bytes);
  used += bytes;
  return text;
}

/** Trace headers that a caller may send. */
export interface TraceCarrier {
  traceparent?: unknown;
  tracestate?: unknown;
  baggage?: unknown;
}

/** Continues the caller's trace if it sent a valid one, otherwise starts a new one. */
export function traceFrom(carrier: TraceCarrier = {}): Trace {
  const match = typeof carrier.traceparent === 'string' ? TRACEPARENT.exec(carrier.traceparent) : null;
  const spanId = hex(8);
  if (!match?.[1] || !match[2]) return { traceId: hex(16), spanId, sampled: true };
  return {
    traceId: match[1],
    spanId,
    parentId: match[2],
    sampled: (Number.parseInt(match[3] ?? '01', 16) & 1) === 1,
    ...(typeof carrier.tracestate === 'string' && { tracestate: carrier.tracestate }),
    ...(typeof carrier.baggage === 'string' && { baggage: carrier.baggage }),
  };
}

/** A child span in the same trace. */
export function childOf(trace: Trace, sampled: boolean): Trace {
  return { ...trace, spanId: hex(8), parentId: trace.spanId, sampled };
}

export function traceparent(trace: Trace): string {
  return `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`;
}
