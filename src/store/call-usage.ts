import type { CallGroup } from './store.ts';

/** Latencies are counted in classes, each a twelfth longer than the one before: a percentile is right to five per cent. */
const CLASSES_PER_DOUBLING = 8;
const SHORTEST_MS = 0.01;

export function latencyClass(ms: number): number {
  return Math.max(0, Math.round(Math.log2(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) * CLASSES_PER_DOUBLING));
}

/** The time at or below which `share` of the calls ended; undefined where there were none. */
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

/** Groups calls by tool, source and principal as their ends are counted. */
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
      // The reason of an event that another program wrote can be any text, `constructor` too.
      const why = typeof reason === 'string' ? reason : 'unknown';
      group.reasons[why] = (group.reasons[why] ?? 0) + 1;
    },
    all: (): CallGroup[] => [...groups.values()],
  };
}
