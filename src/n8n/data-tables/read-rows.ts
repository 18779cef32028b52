import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { DataTable, Row, RowFilter } from '../client/data-tables.ts';
import type { Place } from '../cursor.ts';
import { passes } from './dates.ts';
import type { MadeFilter } from './filter.ts';

export interface Reading {
  readonly filter?: MadeFilter | undefined;
  readonly search?: string | undefined;
  /** `column:asc` or `column:desc` */
  readonly sortBy?: string | undefined;
}

export interface RowPage {
  readonly rows: Row[];
  /** Present if there may be more. */
  readonly next?: string;
}

/** Throws for what n8n would answer wrongly. */
export function assertReadable({ filter, search }: Reading): void {
  if (search !== undefined && filter?.asked.type === 'or') {
    // n8n applies the search to the last condition only.
    throw new AppError('invalid_input', 'n8n cannot combine search with match: any. Leave one of them out.');
  }
}

/**
 * A page of rows. Without a sort order rows come by id, and pages begin after the last id, so that rows that are deleted
 * meanwhile shift nothing.
 */
export async function readPageOf(
  client: N8nClient,
  { id }: Pick<DataTable, 'id'>,
  reading: Reading,
  next: string | undefined,
  signal: AbortSignal,
): Promise<RowPage> {
  const { filter, search, sortBy } = reading;
  const isNumbered = hasNumberedPages(reading);
  const query = isNumbered
    ? { filter: filter?.asked, search, sortBy, ...(next !== undefined && { cursor: next }) }
    : { filter: after(filter?.asked, next), search, sortBy: 'id:asc' };
  const { items, cursor } = await client.dataTables.page(id, query, signal);
  const last = items.at(-1)?.id;
  const more = cursor === undefined ? undefined : isNumbered ? cursor : String(last);
  const rows = filter ? items.filter((row) => passes(row, filter.dates)) : items;
  return { rows, ...(more !== undefined && { next: more }) };
}

/** n8n cannot combine "or" with an id, and a sort order is not that of the ids. */
const hasNumberedPages = ({ filter, sortBy }: Reading): boolean => sortBy !== undefined || filter?.asked.type === 'or';

/** Where to go on with a row of the page that `next` asked for. */
export function placeAt(reading: Reading, rows: readonly Row[], at: number, next: string | undefined): Place {
  const before = rows[at - 1];
  if (before && !hasNumberedPages(reading)) return { skip: 0, next: String(Number(before.id)) };
  return { skip: at, ...(next !== undefined && { next }) };
}

function after(asked: RowFilter | undefined, last: string | undefined): RowFilter | undefined {
  if (last === undefined) return asked;
  const value = Number(last);
  return { type: 'and', filters: [...(asked?.filters ?? []), { columnName: 'id', condition: 'gt', value }] };
}

export async function* matchingRows(
  client: N8nClient,
  table: Pick<DataTable, 'id'>,
  reading: Reading,
  signal: AbortSignal,
): AsyncGenerator<Row, void, undefined> {
  let next: string | undefined;
  do {
    const page: RowPage = await readPageOf(client, table, reading, next, signal);
    yield* page.rows;
    next = page.next;
  } while (next !== undefined);
}

/** How many rows match. n8n does not count for us: we look which positions exist. */
export async function countRows(
  client: N8nClient,
  table: Pick<DataTable, 'id'>,
  reading: Reading,
  signal: AbortSignal,
): Promise<number> {
  const { filter, search } = reading;
  const query = { filter: filter?.asked, search, limit: 1 };
  const first = await client.dataTables.page(table.id, query, signal);
  if (first.cursor === undefined && (filter?.dates ?? []).length === 0) return first.items.length;
  if ((filter?.dates ?? []).length > 0 || !isOffset(first.cursor)) {
    let count = 0;
    for await (const _ of matchingRows(client, table, reading, signal)) count++;
    return count;
  }
  const exists = async (position: number) =>
    (await client.dataTables.page(table.id, { ...query, cursor: offsetCursor(position) }, signal)).items.length > 0;
  let [known, beyond] = [2, 4];
  while (await exists(beyond - 1)) [known, beyond] = [beyond, beyond * 2];
  while (beyond - known > 1) {
    const middle = Math.floor((known + beyond) / 2);
    if (await exists(middle - 1)) known = middle;
    else beyond = middle;
  }
  return known;
}

/** n8n's cursors are not documented. If they look different some day, we read every row instead. */
const offsetCursor = (offset: number) => Buffer.from(JSON.stringify({ limit: 1, offset })).toString('base64');
const isOffset = (cursor: string | undefined): boolean => cursor === offsetCursor(1);
