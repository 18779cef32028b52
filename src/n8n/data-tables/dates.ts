import type { Cell, Row, RowFilter } from '../client/data-tables.ts';

/*
 * On SQLite, n8n compares dates as texts in two spellings (`2026-01-02 00:00` and `2026-01-02T00:00`), so that every moment
 * of a day counts as earlier than any given moment of the same day. We ask for a day more and compare the rest ourselves.
 */

const DAY_MS = 86_400_000;

export interface DateTest {
  readonly column: string;
  readonly condition: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
  /** In UTC, with milliseconds. */
  readonly moment: string;
}

/** Undefined if n8n can answer it. */
export function dateTest(column: string, condition: string, cell: Cell): DateTest | undefined {
  if (typeof cell !== 'string') return undefined;
  return { column, condition: condition as DateTest['condition'], moment: cell };
}

/** Conditions for n8n that hold for every row that passes the test, and for some others. */
export function widened({ column: columnName, condition, moment }: DateTest): RowFilter['filters'] {
  const before = new Date(Date.parse(moment) - DAY_MS).toISOString();
  const from = { columnName, condition: 'gte', value: before };
  const to = { columnName, condition: 'lte', value: moment };
  if (condition === 'neq') return [{ columnName, condition, value: moment }];
  if (condition === 'eq') return [from, to];
  return condition === 'gt' || condition === 'gte' ? [from] : [to];
}

export const passes = (row: Row, tests: readonly DateTest[]): boolean => tests.every((test) => holds(row, test));

function holds(row: Row, { column, condition, moment }: DateTest): boolean {
  const value = Object.hasOwn(row, column) ? row[column] : undefined;
  // As in n8n, an empty cell differs from every date.
  if (typeof value !== 'string') return condition === 'neq';
  const [a, b] = [Date.parse(value), Date.parse(moment)];
  if (condition === 'eq') return a === b;
  if (condition === 'neq') return a !== b;
  if (condition === 'gt') return a > b;
  if (condition === 'gte') return a >= b;
  return condition === 'lt' ? a < b : a <= b;
}
