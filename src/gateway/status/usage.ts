import { z } from 'zod';
import { latencyAt } from '../../store/call-usage.ts';
import type { CallGroup } from '../../store/store.ts';

/** What somebody may ask for. */
export const askedUsage = z.strictObject({
  by: z.enum(['tool', 'source', 'key']).optional().describe('What to count by; default: tool'),
  since: z.string().optional().describe('ISO time, or how long ago: 15m, 24h, 7d; default: 24h'),
  until: z.string().optional().describe('Like since; default: now'),
  source: z.string().optional().describe('Only calls to this server or other source'),
  tool: z.string().optional().describe('Only calls to this tool, by its full name'),
  principal: z.string().optional().describe('Only calls by this key or user, by id'),
  limit: z.int().min(1).max(200).optional().describe('Entries in each list; default: 5'),
});

export type AskedUsage = z.infer<typeof askedUsage>;

const usageRow = z.object({
  name: z.string(),
  source: z.string().optional().describe('For tools: the source they come from'),
  calls: z.number(),
  failed: z.number(),
  p50Ms: z.number().optional(),
  p95Ms: z.number().optional(),
  reason: z.string().optional().describe('The most common reason for failure'),
});

export const usageReport = z.object({
  since: z.string(),
  until: z.string(),
  by: z.enum(['tool', 'source', 'key']),
  calls: z.number(),
  failed: z.number(),
  distinct: z.number().describe('How many tools, sources or keys there were'),
  mostUsed: z.array(usageRow),
  slowest: z.array(usageRow).describe('By p95, accurate to 5 %'),
  mostFailing: z.array(usageRow),
});

export type UsageReport = z.infer<typeof usageReport>;
export type UsageRow = z.infer<typeof usageRow>;

/** Groups calls by tool, source or key, and returns the top few by use, latency and failures. */
export function rankUsage(
  groups: readonly CallGroup[],
  by: UsageReport['by'],
  limit: number,
): Omit<UsageReport, 'since' | 'until'> {
  const rows = [...merged(groups, by)].map(([name, group]) => rowOf(name, group, by));
  const sum = (key: 'calls' | 'failed') => rows.reduce((total, row) => total + row[key], 0);
  const first = (order: (a: UsageRow, b: UsageRow) => number, fits: (row: UsageRow) => boolean = () => true) =>
    rows
      .filter(fits)
      .sort((a, b) => order(a, b) || b.calls - a.calls || (a.name < b.name ? -1 : 1))
      .slice(0, limit);
  return {
    by,
    calls: sum('calls'),
    failed: sum('failed'),
    distinct: rows.length,
    mostUsed: first((a, b) => b.calls - a.calls),
    slowest: first((a, b) => (b.p95Ms ?? 0) - (a.p95Ms ?? 0)),
    mostFailing: first(
      (a, b) => b.failed - a.failed,
      ({ failed }) => failed > 0,
    ),
  };
}

function merged(groups: readonly CallGroup[], by: UsageReport['by']): Map<string, CallGroup> {
  const found = new Map<string, CallGroup>();
  for (const group of groups) {
    const name = by === 'tool' ? group.tool : by === 'source' ? group.source : group.principal;
    const known = found.get(name);
    if (!known) {
      found.set(name, { ...group, reasons: copyOf(group.reasons), latencies: copyOf(group.latencies) });
      continue;
    }
    known.calls += group.calls;
    known.failed += group.failed;
    addCounts(known.reasons, group.reasons);
    addCounts(known.latencies, group.latencies);
  }
  return found;
}

/** Without a prototype: a reason can be called `constructor`. */
const copyOf = (counts: Record<string, number>): Record<string, number> =>
  Object.assign(Object.create(null) as Record<string, number>, counts);

function addCounts<K extends string | number>(to: Record<K, number>, from: Record<K, number>): void {
  for (const key of Object.keys(from) as K[]) to[key] = (to[key] ?? 0) + from[key];
}

function rowOf(name: string, group: CallGroup, by: UsageReport['by']): UsageRow {
  const [p50Ms, p95Ms] = [0.5, 0.95].map((share) => latencyAt(group.latencies, share));
  const [reason] = Object.entries(group.reasons).sort(([, a], [, b]) => b - a)[0] ?? [];
  return {
    name,
    ...(by === 'tool' && { source: group.source }),
    calls: group.calls,
    failed: group.failed,
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p95Ms !== undefined && { p95Ms }),
    ...(reason !== undefined && { reason }),
  };
}
