import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Cell, Cells, DataTable, Row, RowFilter } from '../../client/data-tables.ts';
import { matchingRows } from '../read-rows.ts';
import { insertRows } from './insert.ts';
import type { Tally } from './tally.ts';

/** How many rows are compared before new ones among them are inserted together. */
const GROUP = 1000;
/** Rows that are compared at once. Wide ones would not fit into memory if there were more. */
const MOST_FOUND = 50_000;
/** n8n gets the wanted values in the address. */
const LOOKUP = { keys: 100, characters: 9000 };

export interface Matching {
  /** Columns that identify a row. */
  readonly on: readonly string[];
  /** Insert rows that match none. */
  readonly insert: boolean;
  readonly dryRun: boolean;
}

/**
 * Updates the rows that have the same values in some columns, and inserts the others. n8n can do this for one row at a time
 * only; we first look up which rows exist and what they hold, and write only what differs.
 */
export async function writeMatching(
  client: N8nClient,
  table: DataTable,
  rows: readonly Cells[],
  { on, insert, dryRun }: Matching,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < rows.length; from += GROUP) {
    const group = rows.slice(from, from + GROUP);
    const known = await lookUp(client, table, group, on, signal);
    const fresh = new Map<string, Cells>();
    for (const row of group) {
      signal.throwIfAborted();
      const key = keyOf(row, on);
      const found = known.get(key);
      if (found && (await isChanged(row, found))) continue;
      // Rows that were deleted since the look-up are missing from here on, too.
      known.delete(key);
      if (insert) fresh.set(key, { ...fresh.get(key), ...row });
      else tally.add({ missing: 1 });
    }
    const added = [...fresh.values()];
    if (dryRun) tally.add({ inserted: added.length });
    else await insertRows(client, table, added, signal, (count) => tally.add({ inserted: count }));
    tally.finish(group.length);
  }

  /** False if the rows are gone by now. */
  async function isChanged(row: Cells, found: readonly Row[]): Promise<boolean> {
    const data = Object.fromEntries(Object.entries(row).filter(([column]) => !on.includes(column)));
    const differing = found.filter((one) => differs(one, data));
    if (differing.length === 0) {
      tally.add({ unchanged: found.length });
      return true;
    }
    const count = dryRun ? found.length : (await client.dataTables.updated(table.id, filterOf(row, on), data)).length;
    if (count === 0) return false;
    tally.add({ updated: count });
    // A later row of this group may have the same key.
    for (const one of found) Object.assign(one, data);
    return true;
  }
}

const cellIn = (row: Readonly<Record<string, unknown>>, column: string): unknown =>
  Object.hasOwn(row, column) ? row[column] : null;

const keyOf = (row: Readonly<Record<string, unknown>>, on: readonly string[]): string =>
  JSON.stringify(on.map((column) => cellIn(row, column)));

const differs = (row: Row, data: Cells): boolean =>
  Object.entries(data).some(([column, value]) => cellIn(row, column) !== value);

const filterOf = (row: Cells, on: readonly string[]): RowFilter => ({
  type: 'and',
  filters: on.map((columnName) => ({ columnName, condition: 'eq', value: cellIn(row, columnName) as Cell })),
});

/** The rows that exist, by their key. */
async function lookUp(
  client: N8nClient,
  table: DataTable,
  rows: readonly Cells[],
  on: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Row[]>> {
  const found = new Map<string, Row[]>();
  const wanted = new Map(rows.map((row) => [keyOf(row, on), row]));
  let count = 0;
  for (const asked of lookups([...wanted.values()], on)) {
    const filter = { asked, dates: [], forUpdate: true };
    for await (const row of matchingRows(client, table, { filter }, signal)) {
      if (++count > MOST_FOUND) {
        throw new AppError(
          'too_large',
          `More than ${MOST_FOUND} rows have these values of ${on.join(', ')}, which do not identify a row. Match by other columns, or change them with filter.`,
        );
      }
      const key = keyOf(row, on);
      const same = found.get(key);
      if (same) same.push(row);
      else found.set(key, [row]);
    }
  }
  return found;
}

/** As few filters as possible. n8n cannot combine "and" with "or", so several columns need a request for each row. */
function* lookups(rows: readonly Cells[], on: readonly string[]): Generator<RowFilter> {
  if (on.length > 1) {
    for (const row of rows) yield filterOf(row, on);
    return;
  }
  let filters: RowFilter['filters'][number][] = [];
  let characters = 0;
  for (const row of rows) {
    const [filter] = filterOf(row, on).filters;
    if (!filter) continue;
    const size = encodeURIComponent(JSON.stringify(filter)).length;
    if (filters.length >= LOOKUP.keys || (filters.length > 0 && characters + size > LOOKUP.characters)) {
      yield { type: 'or', filters };
      [filters, characters] = [[], 0];
    }
    filters.push(filter);
    characters += size;
  }
  if (filters.length > 0) yield { type: 'or', filters };
}
