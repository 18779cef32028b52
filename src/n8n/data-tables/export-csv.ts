import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Cell, Row } from '../client/data-tables.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { n8nTool } from '../tool.ts';
import { columnIn, MOST_COLUMNS, systemColumns } from './columns.ts';
import { delimiterInput } from './csv/delimiter.ts';
import { csvLine } from './csv/write.ts';
import { filterFor, filterInput, matchInput } from './filter.ts';
import { existingTable, tableInput } from './found-table.ts';
import { assertReadable, placeAt, type Reading, readPageOf } from './read-rows.ts';
import { sortFor, sortInput } from './sort.ts';

const NAME = 'n8n_export_csv';
/** What a reply must stay under unless asked otherwise, without its frame. */
const DEFAULT_BYTES = 7400;

export const exportCsv = n8nTool({
  name: NAME,
  title: 'Export CSV',
  description:
    'Exports rows of a data table as CSV text, all or those that match. It comes in parts: join them, the header line is only in the first. The command sluice n8n table export writes a file. Values are exported unchanged, also texts that begin with = + - or @, which a spreadsheet may run as a formula.',
  effect: 'read',
  phrases:
    'export a data table as csv; download the rows of a data table; turn a data table into a csv; get a csv of the customers table; save a data table as a spreadsheet; data table to excel; dump the rows of an n8n table; csv export; give me the table as comma separated text; extract data from a data table; table as a file; copy a data table out of n8n; export filtered rows; write a data table to csv; share the contents of a data table',
  tags: ['data tables'],
  input: {
    table: tableInput,
    filter: filterInput.optional(),
    match: matchInput,
    search: z.string().min(1).max(500).optional().describe('Text in any column, ignoring case'),
    sort: sortInput.optional(),
    columns: z
      .array(z.string())
      .min(1)
      .max(MOST_COLUMNS)
      .optional()
      .describe('Only these, in this order. Default: all of the table, without id, createdAt and updatedAt'),
    delimiter: delimiterInput.optional().describe('One character, or tab. Default: a comma'),
    limit: z.int().min(1).max(1_000_000).optional().describe('Rows of a part'),
    max_kb: z.int().min(1).max(1000).optional().describe('Size of a part. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
  },
  output: z.object({
    table: z.string().describe('Its id'),
    csv: z.string(),
    rows: z.number().describe('Rows in this part'),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [{ title: 'Some columns', arguments: { table: 'customers', columns: ['email', 'orders'], max_kb: 200 } }],
  async run(
    { table: wanted, max_kb: maxKb, limit = Number.POSITIVE_INFINITY, cursor, ...given },
    { client },
    { signal },
    progress,
  ) {
    const table = await existingTable(client, wanted, signal);
    const known = [...systemColumns, ...table.columns];
    const names =
      given.columns?.map((name) => columnIn(known, name, table.name).name) ?? table.columns.map(({ name }) => name);
    const reading: Reading = {
      filter: filterFor(table, given.filter, given.match),
      search: given.search,
      sortBy: sortFor(table, given.sort),
    };
    assertReadable(reading);
    const asked = { instance: client.name, table: table.id, ...given };
    const { delimiter = ',' } = given;
    const most = maxKb === undefined ? DEFAULT_BYTES : maxKb * 1000;
    const sizeOf = maxKb === undefined ? bytesInReply : Buffer.byteLength;
    const lineOf = (row: Row) =>
      csvLine(
        names.map((name) => cellIn(row, name)),
        delimiter,
      );
    let { next, skip } = placeIn(NAME, asked, cursor);
    const parts = cursor === undefined ? [csvLine(names, delimiter)] : [];
    let bytes = sizeOf(parts.join(''));
    let rows = 0;
    for (;;) {
      const page = await readPageOf(client, table, reading, next, signal);
      for (const [at, row] of page.rows.entries()) {
        if (at < skip) continue;
        const line = lineOf(row);
        bytes += sizeOf(line);
        if (bytes > most && rows === 0 && maxKb === undefined) throw tooLong(parts.join('') + line);
        if ((bytes > most && rows > 0) || rows >= limit) {
          const place = placeAt(reading, page.rows, at, next);
          return { table: table.id, csv: parts.join(''), rows, cursor: cursorFor(NAME, asked, place) };
        }
        parts.push(line);
        rows++;
      }
      progress(rows, undefined, 'rows');
      if (page.next === undefined) return { table: table.id, csv: parts.join(''), rows };
      [next, skip] = [page.next, 0];
    }
  },
});

/** A reply holds the text twice, as data and in a text. */
function bytesInReply(text: string): number {
  const json = JSON.stringify(text);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

const tooLong = (text: string): AppError =>
  new AppError(
    'too_large',
    `The next row does not fit into a reply of 8 KB. Pass max_kb: ${Math.ceil(Buffer.byteLength(text) / 1000)}, or columns without long values.`,
  );

function cellIn(row: Row, name: string): Cell {
  const value = Object.hasOwn(row, name) ? row[name] : null;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);
}
