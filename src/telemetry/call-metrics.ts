import type { CallEnd, CallObserver } from '../kernel/call.ts';
import type { Callable } from '../kernel/callable.ts';

/** Upper bounds in milliseconds. A relayed call takes about one, a slow one minutes. */
export const durationBounds = [
  1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000,
] as const;

/** The measurements of one tool. */
export interface ToolRecord {
  readonly source: string;
  readonly tool: string;
  inFlight: number;
  completed: number;
  unconfirmed: number;
  failed: number;
  readonly reasons: Map<string, number>;
  /** Number of calls in each bucket: up to its bound and above the previous one. The last is above all bounds. */
  readonly durations: Float64Array;
  totalMs: number;
  /** Counts only results whose size is known for free. */
  sized: number;
  totalBytes: number;
}

export interface CallMetrics {
  readonly observer: CallObserver;
  records(): Iterable<ToolRecord>;
}

const OTHER = 'other';
const MAX_SOURCES = 100;
const MAX_REASONS = 20;

/**
 * Counts calls. Each tool has one record, so that a call costs a few additions; reading does the rest of the work.
 * Distinguishes at most `maxTools` tools, and counts the rest of each source as one.
 */
export function createCallMetrics({ maxTools }: { maxTools: number }): CallMetrics {
  const records = new Map<string, Counter>();
  const byCallable = new WeakMap<Callable, Counter>();
  const sources = new Set<string>();
  let tools = 0;

  function counterOf(callable: Callable): Counter {
    const source = sources.has(callable.source) || sources.size < MAX_SOURCES ? callable.source : OTHER;
    sources.add(source);
    let key = `${source}\n${callable.name}`;
    let tool = callable.name;
    if (!records.has(key) && tools++ >= maxTools) {
      tool = OTHER;
      key = `${source}\n${tool}`;
    }
    const counter = records.get(key) ?? new Counter(source, tool);
    records.set(key, counter);
    byCallable.set(callable, counter);
    return counter;
  }

  return {
    observer: {
      begins(callable) {
        const counter = byCallable.get(callable) ?? counterOf(callable);
        counter.inFlight++;
        return counter.ended;
      },
    },
    records: () => records.values(),
  };
}

class Counter implements ToolRecord {
  readonly source: string;
  readonly tool: string;
  inFlight = 0;
  completed = 0;
  unconfirmed = 0;
  failed = 0;
  readonly reasons = new Map<string, number>();
  readonly durations = new Float64Array(durationBounds.length + 1);
  totalMs = 0;
  sized = 0;
  totalBytes = 0;

  constructor(source: string, tool: string) {
    this.source = source;
    this.tool = tool;
  }

  /** Shared by all calls: there is nothing to remember about a single call. */
  readonly ended = (end: CallEnd): void => {
    this.inFlight--;
    this.totalMs += end.ms;
    let bound = 0;
    while (bound < durationBounds.length && end.ms > (durationBounds[bound] as number)) bound++;
    this.durations[bound] = (this.durations[bound] as number) + 1;
    this[end.state]++;
    if (end.reason !== undefined) {
      const reason = this.reasons.has(end.reason) || this.reasons.size < MAX_REASONS ? end.reason : OTHER;
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    }
    const { json } = end.outcome as { json?: string };
    if (json !== undefined) {
      this.sized++;
      this.totalBytes += json.length;
    }
  };
}
