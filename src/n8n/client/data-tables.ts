import { z } from 'zod';
import type { Ask } from './answer.ts';
import type { N8nHttp } from './http.ts';
import { type Page, readAll, readPage } from './paging.ts';

export const columnTypes = ['string', 'number', 'boolean', 'date'] as const;

export type ColumnType = (typeof columnTypes)[number];

const columnShape = z.looseObject({
  id: z.string().default(''),
  name: z.string(),
  // A type that we do not know must not hide the table.
  type: z.enum(columnTypes).catch('string'),
  index: z.number().default(0),
});

/** n8n returns the columns in any order. */
export const tableShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  projectId: z.string().optional(),
  updatedAt: z.string().optional(),
  sizeBytes: z.number().optional(),
  columns: z
    .array(columnShape)
    .default([])
    .transform((columns) => columns.toSorted((a, b) => a.index - b.index)),
});

export const rowShape = z.record(z.string(), z.unknown());

export type DataTable = z.output<typeof tableShape>;
export type Column = Pick<z.output<typeof columnShape>, 'name' | 'type'>;
export type Row = z.output<typeof rowShape>;
export type Cell = string | number | boolean | null;
export type Cells = Readonly<Record<string, Cell>>;

/** A filter in n8n's own form. */
export interface RowFilter {
  readonly type: 'and' | 'or';
  readonly filters: readonly { readonly columnName: string; readonly condition: string; readonly value: Cell }[];
}

export interface RowQuery {
  readonly filter?: RowFilter | undefined;
  readonly search?: string | undefined;
  /** `column:asc` or `column:desc` */
  readonly sortBy?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The largest page. */
const ROW_PAGE = 250;

/** n8n checks and stores thousands of rows before it answers. */
const WRITE_MS = 120_000;

export function dataTablesOf(http: N8nHttp) {
  const all = '/api/v1/data-tables';
  const at = (id: string) => `${all}/${encodeURIComponent(id)}`;
  const of = (signal: AbortSignal | undefined): Ask => (signal ? { signal } : {});
  const timeoutMs = Math.max(WRITE_MS, http.address.timeoutMs);

  function page(id: string, { filter, ...query }: RowQuery, signal?: AbortSignal): Promise<Page<Row>> {
    const asked = { limit: ROW_PAGE, ...query, ...(filter && { filter: JSON.stringify(filter) }) };
    return readPage(http, `${at(id)}/rows`, rowShape, asked, signal);
  }

  /** Every row by its id. Unlike pages by number, this leaves out and repeats nothing if rows are deleted meanwhile. */
  async function* rows(id: string, signal?: AbortSignal): AsyncGenerator<Row, void, undefined> {
    let last = 0;
    for (;;) {
      const filter: RowFilter = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: last }] };
      const { items, cursor } = await page(id, { filter, sortBy: 'id:asc' }, signal);
      yield* items;
      last = Number(items.at(-1)?.id);
      if (cursor === undefined || !Number.isSafeInteger(last)) return;
    }
  }

  return {
    all: (signal?: AbortSignal) => readAll(http, all, tableShape, {}, signal),
    get: async (id: string, signal?: AbortSignal) => tableShape.parse(await http.ask('GET', at(id), of(signal))),
    async create(
      table: { readonly name: string; readonly columns: readonly Column[]; readonly projectId?: string | undefined },
      signal?: AbortSignal,
    ): Promise<DataTable> {
      const columns = table.columns.map(({ name, type }) => ({ name, type }));
      return tableShape.parse(await http.ask('POST', all, { ...of(signal), body: { ...table, columns } }));
    },
    rename: async (id: string, name: string, signal?: AbortSignal) =>
      tableShape.parse(await http.ask('PATCH', at(id), { ...of(signal), body: { name } })),
    async delete(id: string, signal?: AbortSignal): Promise<void> {
      await http.ask('DELETE', at(id), of(signal));
    },
    async addColumn(id: string, { name, type }: Column, signal?: AbortSignal): Promise<void> {
      await http.ask('POST', `${at(id)}/columns`, { ...of(signal), body: { name, type } });
    },
    async renameColumn(id: string, column: string, name: string, signal?: AbortSignal): Promise<void> {
      const path = `${at(id)}/columns/${encodeURIComponent(column)}`;
      await http.ask('PATCH', path, { ...of(signal), body: { name } });
    },
    async deleteColumn(id: string, column: string, signal?: AbortSignal): Promise<void> {
      await http.ask('DELETE', `${at(id)}/columns/${encodeURIComponent(column)}`, of(signal));
    },
    page,
    rows,
    /** Inserts all of them or none. */
    async insert(id: string, data: readonly Cells[]): Promise<void> {
      await http.ask('POST', `${at(id)}/rows`, { timeoutMs, body: { data, returnType: 'count' } });
    },
    /** Updates the rows that match. */
    async update(id: string, filter: RowFilter, data: Cells): Promise<void> {
      await http.ask('PATCH', `${at(id)}/rows/update`, { timeoutMs, body: { filter, data } });
    },
    /** The same; returns the ids of these rows, of which there must be few. */
    updated: async (id: string, filter: RowFilter, data: Cells): Promise<unknown[]> =>
      rowShape
        .array()
        .parse(
          await http.ask('PATCH', `${at(id)}/rows/update`, { timeoutMs, body: { filter, data, returnData: true } }),
        )
        .map((row) => row.id),
    /** Updates the rows that match, or inserts one if none does. */
    async upsert(id: string, filter: RowFilter, data: Cells): Promise<void> {
      await http.ask('POST', `${at(id)}/rows/upsert`, { timeoutMs, body: { filter, data } });
    },
    async deleteRows(id: string, filter: RowFilter): Promise<void> {
      const query = { filter: JSON.stringify(filter) };
      await http.ask('DELETE', `${at(id)}/rows/delete`, { timeoutMs, query, repeatable: true });
    },
  };
}
