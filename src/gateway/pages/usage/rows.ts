/** Under this name calls of tools that do not exist are counted. */
export const UNKNOWN = '(unknown)';

/** What /api/v1/usage counts by. */
export type By = 'tool' | 'source' | 'key';

export interface UsageRow {
  readonly name: string;
  readonly source?: string;
  readonly calls: number;
  readonly failed: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly reason?: string;
}

export interface Usage {
  readonly since: string;
  readonly until: string;
  readonly calls: number;
  readonly failed: number;
  readonly distinct: number;
  readonly mostUsed: readonly UsageRow[];
  readonly slowest: readonly UsageRow[];
  readonly mostFailing: readonly UsageRow[];
}

export type SortBy = 'calls' | 'failed' | 'share' | 'p50' | 'p95' | 'name';

const values: Readonly<Record<Exclude<SortBy, 'name'>, (row: UsageRow) => number>> = {
  calls: ({ calls }) => calls,
  failed: ({ failed }) => failed,
  share: shareFailed,
  p50: ({ p50Ms = 0 }) => p50Ms,
  p95: ({ p95Ms = 0 }) => p95Ms,
};

export const isSort = (text: string | undefined): text is SortBy =>
  text === 'name' || (text !== undefined && Object.hasOwn(values, text));

export function shareFailed({ calls, failed }: Pick<UsageRow, 'calls' | 'failed'>): number {
  return calls === 0 ? 0 : failed / calls;
}

/** A share as people read it; what is not nothing never looks like nothing. */
export function percent(share: number): string {
  if (share === 0) return '–';
  return share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;
}

/** The rows that fit, in this order. A row may be in several lists of the answer. `names` are what people call some of them. */
export function sorted(
  usage: Usage,
  by: SortBy,
  words: string,
  ascending = false,
  names: ReadonlyMap<string, string> = new Map(),
): UsageRow[] {
  const { mostUsed, slowest, mostFailing } = usage;
  const rows = new Map([...mostUsed, ...slowest, ...mostFailing].map((row) => [row.name, row]));
  const wanted = words.trim().toLowerCase();
  const called = ({ name }: UsageRow) => names.get(name) ?? name;
  const byName = (a: UsageRow, b: UsageRow) => called(a).localeCompare(called(b));
  const fits = (row: UsageRow) => `${row.name} ${called(row)}`.toLowerCase().includes(wanted);
  const order = by === 'name' ? byName : (a: UsageRow, b: UsageRow) => values[by](b) - values[by](a) || byName(a, b);
  const found = [...rows.values()].filter(fits).sort(order);
  return ascending ? found.toReversed() : found;
}
