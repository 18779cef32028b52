import { traceFrom, traceparent } from '../../kernel/trace.ts';

/** What tells a call of ours from others. */
export interface CallTrace {
  /** Occurs in what n8n keeps of the execution, with the headers of a webhook or beside the data. */
  readonly mark: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A trace for one call to n8n, which adds no header of our own; one that the caller gave stays as it is. */
export function callTrace(given: Readonly<Record<string, string>> = {}): CallTrace {
  const own = Object.entries(given).find(([name]) => name.toLowerCase() === 'traceparent');
  if (own) return { mark: own[1], headers: {} };
  const trace = traceFrom();
  return { mark: trace.traceId, headers: { traceparent: traceparent(trace) } };
}
