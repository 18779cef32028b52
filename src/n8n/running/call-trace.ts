import { traceFrom, traceparent } from '../../kernel/trace.ts';

/** How the execution of one call of ours is recognised. */
export interface CallTrace {
  /** n8n keeps it with the execution: among the headers of a webhook, or beside the data. */
  readonly mark: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A trace for one call to n8n, in the standard header. A trace that the caller gave is used as it is. */
export function callTrace(given: Readonly<Record<string, string>> = {}): CallTrace {
  const own = Object.entries(given).find(([name]) => name.toLowerCase() === 'traceparent');
  if (own) return { mark: own[1], headers: {} };
  const trace = traceFrom();
  return { mark: trace.traceId, headers: { traceparent: traceparent(trace) } };
}
