import { isObject, type Json } from '../schema/json.ts';

export interface Grid {
  /** Where in the answer the rows are; empty for the answer itself. */
  readonly at: string;
  readonly columns: readonly string[];
  /** Columns that are not shown. */
  readonly more: number;
  readonly rows: readonly Json[];
}

const MOST_COLUMNS = 12;
const SAMPLE = 100;

/** The list of objects that a value is or has; undefined if there is none, or if it has several equally long ones. */
export function gridIn(value: unknown): Grid | undefined {
  if (Array.isArray(value)) return gridOf('', value);
  if (!isObject(value)) return undefined;
  const grids = Object.entries(value).flatMap(([name, one]) => (Array.isArray(one) ? (gridOf(name, one) ?? []) : []));
  return grids.toSorted((a, b) => b.rows.length - a.rows.length)[0];
}

function gridOf(at: string, list: readonly unknown[]): Grid | undefined {
  if (list.length === 0 || !list.slice(0, SAMPLE).every(isObject)) return undefined;
  const names = new Set<string>();
  for (const row of list.slice(0, SAMPLE) as Json[]) for (const name of Object.keys(row)) names.add(name);
  if (names.size === 0) return undefined;
  const columns = [...names].slice(0, MOST_COLUMNS);
  return { at, columns, more: names.size - columns.length, rows: list.filter(isObject) };
}
