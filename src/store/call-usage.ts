import type { CallGroup } from './store.ts';

/**
 * Latencies are counted in classes, each a twelfth longer than the one before, so that percentiles are accurate to five
 * percent.
 */
const CLASSES_PER_DOUBLING = 8;
const SHORTEST_MS = 0.01;

export function latencyClass(ms: number): number {
  return Math.max(0, Math.round(Math.log2(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) * CLASSES_PER_DOUBLING));
}

/** The time within which `share` of the calls ended; undefined if there were none. */
export function latencyAt(latencies: CallGroup['latencies'], share: number): number | undefined {
  const classes = Object.entries(latencies)
    .map(([number, count]) => [Number(number), count] as const)
    .sort(([a], [b]) => a - b);
  const total = classes.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.ceil(total * share);
  const found = classes.find(([, count]) => (left -= count) <= 0)?.[0];
  if (found === undefined) return undefined;
  return Number((SHORTEST_MS * 2 ** (found / CLASSES_PER_DOUBLING)).toPrecision(3));
}

/** Finished calls that are alike. */
export interface AlikeCalls extends Pick<CallGroup, 'tool' | 'source' | 'principal' | 'calls'> {
  /** The latency class; undefined if it is not known. */
  latency?: number | undefined;
  /** Of failed calls. */
  reason?: string | undefined;
}

/** Counts finished calls by tool, source and principal. */
export function createCallGroups() {
  const groups = new Map<string, CallGroup>();

  function add({ tool, source, principal, calls, latency, reason }: AlikeCalls): void {
    const key = `${tool}\n${source}\n${principal}`;
    let group = groups.get(key);
    if (!group) {
      group = {
        tool,
        source,
        principal,
        calls: 0,
        failed: 0,
        // A reason may come from another program's event and can be any text, even `constructor`.
        reasons: Object.create(null) as CallGroup['reasons'],
        latencies: {},
      };
      groups.set(key, group);
    }
    group.calls += calls;
    if (latency !== undefined) group.latencies[latency] = (group.latencies[latency] ?? 0) + calls;
    if (reason === undefined) return;
    group.failed += calls;
    group.reasons[reason] = (group.reasons[reason] ?? 0) + calls;
  }

  return {
    add,
    /** `data` of a `tool.call_completed` or `tool.call_failed`. */
    count(data: Record<string, unknown>, failed: boolean): void {
      const { tool, source, principal, ms, reason } = data;
      if (typeof tool !== 'string' || typeof source !== 'string' || typeof principal !== 'string') return;
      const why = typeof reason === 'string' ? reason : 'unknown';
      const latency = typeof ms === 'number' ? latencyClass(ms) : undefined;
      add({ tool, source, principal, calls: 1, latency, reason: failed ? why : undefined });
    },
    /** In the order in which their first calls were counted. */
    all: (): CallGroup[] => [...groups.values()],
  };
}
