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

/** Counts finished calls by tool, source and principal. */
export function createCallGroups() {
  const groups = new Map<string, CallGroup>();
  return {
    /** `data` of a `tool.call_completed` or `tool.call_failed`. */
    count(data: Record<string, unknown>, failed: boolean): void {
      const { tool, source, principal, ms, reason } = data;
      if (typeof tool !== 'string' || typeof source !== 'string' || typeof principal !== 'string') return;
      const key = `${tool}\n${source}\n${principal}`;
      let group = groups.get(key);
      if (!group) {
        group = {
          tool,
          source,
          principal,
          calls: 0,
          failed: 0,
          reasons: Object.create(null) as CallGroup['reasons'],
          latencies: {},
        };
        groups.set(key, group);
      }
      group.calls++;
      if (typeof ms === 'number') {
        const at = latencyClass(ms);
        group.latencies[at] = (group.latencies[at] ?? 0) + 1;
      }
      if (!failed) return;
      group.failed++;
      // The reason may come from another program's event and can be any text, even `constructor`.
      const why = typeof reason === 'string' ? reason : 'unknown';
      group.reasons[why] = (group.reasons[why] ?? 0) + 1;
    },
    all: (): CallGroup[] => [...groups.values()],
  };
}
