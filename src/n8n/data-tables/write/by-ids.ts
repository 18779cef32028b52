import type { RowFilter } from '../../client/data-tables.ts';

/** n8n gets filters in the address when it deletes. */
const AT_ONCE = 100;
/** Ids in a row that are worth a request of their own. */
const LONG_RUN = 20;

export interface SomeRows {
  readonly filter: RowFilter;
  readonly count: number;
}

/** Filters that together hold for the rows with these ids and for no others. Ids without a gap need one request. */
export function* exactly(ids: readonly number[]): Generator<SomeRows> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  let single: number[] = [];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const first = sorted[from] as number;
    for (to = from + 1; sorted[to] === first + (to - from); ) to++;
    if (to - from >= LONG_RUN) {
      yield { filter: between(first, sorted[to - 1] as number), count: to - from };
      continue;
    }
    single.push(...sorted.slice(from, to));
    while (single.length >= AT_ONCE) {
      yield someOf(single.slice(0, AT_ONCE));
      single = single.slice(AT_ONCE);
    }
  }
  if (single.length > 0) yield someOf(single);
}

const between = (first: number, last: number): RowFilter => ({
  type: 'and',
  filters: [
    { columnName: 'id', condition: 'gte', value: first },
    { columnName: 'id', condition: 'lte', value: last },
  ],
});

const someOf = (ids: readonly number[]): SomeRows => ({
  filter: { type: 'or', filters: ids.map((value) => ({ columnName: 'id', condition: 'eq', value })) },
  count: ids.length,
});
