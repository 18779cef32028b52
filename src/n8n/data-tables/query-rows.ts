import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { own } from '../../kernel/own.ts';
import { n8nTool } from '../tool.ts';
import type { Row } from '../client/data-tables.ts';
import { columnIn, MOST_COLUMNS, systemColumns } from './columns.ts';
import { filterFor, filterInput, matchInput } from './filter.ts';
import { existingTable, tableInput } from './found-table.ts';
import { assertReadable, countRows, placeAt, readPageOf, type Reading } from './read-rows.ts';
import { shortened } from './shortened.ts';
import { sortFor, sortInput } from './sort.ts';

const NAME = 'n8n_query_rows';
/** How much text of a row is shown in a short reply, if that fits; otherwise less. */
const ROW_CHARACTERS = [1500, 500, 150];

export const queryRows = n8nTool({
  name: NAME,
  title: 'Query rows of a data table',
  description:
    'Reads rows of a data table: filter, search, sort, choose columns; or counts them. Without limit, the reply stays under 8 KB and long texts are cut.',
  effect: 'read',
  phrases:
    'query a data table of n8n; read rows from a data table; show the rows of a data table; find rows of a data table where a column has a value; look up a record in a data table; how many rows does a data table have; filter rows of a data table; search in a data table; get the newest rows of a data table; rows of a data table that contain a text; sort the rows of a data table; what is stored in the data table; view the contents of an n8n data table; look at the data in a datatable; is this email already in the data table; rows of a data table with an empty field; entries of the last week in a data table; what does the data table hold; read what a workflow stored in a data table; get a row of a data table by id',
  tags: ['data tables'],
  input: {
    table: tableInput,
    filter: filterInput.optional(),
    match: matchInput,
    search: z.string().min(1).max(500).optional().describe('Text in any column, ignoring case'),
    sort: sortInput.optional(),
    columns: z
      .array(z.string())
      .max(MOST_COLUMNS)
      .optional()
      .describe('Only these. Default: id and all of the table; createdAt and updatedAt can be added'),
    count: z.boolean().optional().describe('Only count the rows that match'),
    limit: z.int().min(1).max(1000).optional().describe('Rows per page; then nothing is cut'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
  },
  output: z.object({
    table: z.string().describe('Its id'),
    rows: z.array(z.record(z.string(), z.unknown())).optional(),
    count: z.number().optional(),
    cut: z.array(z.string()).optional().describe('Columns with texts that were cut: pass limit to read them whole'),
    left_out: z.number().optional().describe('Columns that do not fit: name those you want, or pass limit'),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [
    { title: 'Simple', arguments: { table: 'customers', filter: { status: 'active' } } },
    {
      title: 'With conditions',
      arguments: {
        table: 'customers',
        filter: [
          { column: 'orders', condition: 'gte', value: 10 },
          { column: 'email', condition: 'ilike', value: '%@example.com' },
        ],
        sort: 'orders:desc',
        columns: ['email', 'orders'],
      },
    },
    { title: 'Count', arguments: { table: 'customers', count: true } },
  ],
  async run({ table: wanted, count, limit, cursor, ...given }, { client }, { signal }) {
    const table = await existingTable(client, wanted, signal);
    const known = [...systemColumns, ...table.columns];
    const columns = given.columns?.map((name) => columnIn(known, name, table.name).name);
    const reading: Reading = {
      filter: filterFor(table, given.filter, given.match),
      search: given.search,
      sortBy: sortFor(table, given.sort),
    };
    assertReadable(reading);
    if (count) return { table: table.id, count: await countRows(client, table, reading, signal) };
    const asked = { instance: client.name, table: table.id, ...given };
    const all = columns ?? ['id', ...table.columns.map(({ name }) => name)];
    let names: readonly string[] = all;
    const rows: Row[] = [];
    const cut = new Set<string>();
    let { next, skip } = placeIn(NAME, asked, cursor);
    const answer = (more?: string) => ({
      table: table.id,
      rows,
      ...(cut.size > 0 && { cut: [...cut] }),
      ...(names.length < all.length && { left_out: all.length - names.length }),
      ...(more !== undefined && { cursor: more }),
    });
    for (;;) {
      const page = await readPageOf(client, table, reading, next, signal);
      for (const [at, row] of page.rows.entries()) {
        if (at < skip) continue;
        const shown = limit === undefined ? fitted(row, names, cut) : pick(row, names);
        if (rows.length === 0) names = Object.keys(shown);
        const isFull = limit === undefined ? !fits([...rows, shown], cut) : rows.length >= limit;
        if (isFull && rows.length > 0) {
          return answer(cursorFor(NAME, asked, placeAt(reading, page.rows, at, next)));
        }
        rows.push(shown);
      }
      if (page.next === undefined) return answer();
      [next, skip] = [page.next, 0];
    }
  },
});

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, own(row, name) ?? null]));

/** The row with as many of these columns as fit into a short reply, and their long texts cut. */
function fitted(row: Row, names: readonly string[], cut: Set<string>): Row {
  for (let kept = names; ; kept = kept.slice(0, Math.max(1, Math.floor(kept.length * 0.8)))) {
    for (const characters of ROW_CHARACTERS) {
      const cutHere = new Set(cut);
      const short = shortened(pick(row, kept), cutHere, characters);
      const isLeast = kept.length <= 2 && characters === ROW_CHARACTERS.at(-1);
      if (!isLeast && !fitsAlone(short, cutHere)) continue;
      for (const column of cutHere) cut.add(column);
      return short;
    }
  }
}

const besides = (cut: Iterable<string>) => ({ cut: [...cut], left_out: 100, cursor: 'x'.repeat(120) });

const fits = (rows: readonly Row[], cut: Iterable<string>): boolean => fittingItems(rows, besides(cut)) >= rows.length;

/** At least one item counts as fitting, so a row is judged as the second one. */
const fitsAlone = (row: Row, cut: Iterable<string>): boolean => fittingItems(['', row], besides(cut)) === 2;
