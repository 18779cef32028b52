import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { n8nTool } from '../tool.ts';
import { checkedRows } from './checked-rows.ts';
import { systemColumns } from './columns.ts';
import { type FilterGiven, filterFor, filterInput, matchInput } from './filter.ts';
import { existingTable, tableInput } from './found-table.ts';
import { assertKeys, matchColumns, matchOnInput, modeInput } from './match-on.ts';
import { writeRows } from './write/write-rows.ts';
import { writtenOutput, writtenSummary } from './write-outcome.ts';

const MOST = 10_000;

const everyRow: FilterGiven = [{ column: 'id', condition: 'gte', value: 0 }];

export const writeRowsTool = n8nTool({
  name: 'n8n_write_rows',
  title: 'Write rows of a data table',
  description:
    'Inserts, updates or upserts rows of a data table. All values are checked against the column types before the first is written. Update and upsert need match_on (each row changes the rows with the same values there) or filter (one row changes all that match). Updates take no backup: try dry_run first.',
  effect: 'update',
  phrases:
    'insert rows into a data table; add a row to a data table; write a record into a table in n8n; update rows of a data table; change a value in a data table; upsert rows by email; set a column for all rows that match; add or update records; put these entries into the data table; save data in an n8n table; fill a data table with rows; mark rows as done in a data table; correct a value in a row; append records to a data table; store this in the data table; overwrite rows with the same key; edit a row of a data table; insert many rows at once; bulk update of a data table',
  tags: ['data tables'],
  input: {
    table: tableInput,
    rows: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(MOST)
      .describe('Columns and values: [{ "email": "a@example.com", "orders": 3 }]. null empties a cell'),
    mode: modeInput.optional(),
    match_on: matchOnInput.optional(),
    filter: filterInput.optional().describe('Instead of match_on, with exactly one row: the rows to change'),
    match: matchInput,
    all: z.boolean().optional().describe('update: instead of filter, change every row'),
    dry_run: z.boolean().optional().describe('Write nothing; count what would be written'),
  },
  output: z.object({ table: z.string().describe('Its id'), ...writtenOutput, dry_run: z.boolean().optional() }),
  examples: [
    { title: 'Insert', arguments: { table: 'customers', rows: [{ email: 'a@example.com', orders: 3 }] } },
    {
      title: 'Insert or update by email',
      arguments: {
        table: 'customers',
        mode: 'upsert',
        match_on: ['email'],
        rows: [{ email: 'a@example.com', orders: 4 }],
      },
    },
    {
      title: 'Change all that match',
      arguments: {
        table: 'customers',
        mode: 'update',
        filter: [{ column: 'orders', condition: 'gte', value: 10 }],
        rows: [{ vip: true }],
      },
    },
  ],
  async run(given, { client }, { signal }, progress) {
    const { rows: wanted, mode = 'insert', dry_run: dryRun = false } = given;
    const table = await existingTable(client, given.table, signal);
    const matchOn = matchColumns(table, mode, given.match_on);
    const all = given.all === true;
    if (all && (mode !== 'update' || given.filter !== undefined)) {
      const why = mode === 'update' ? 'Pass filter or all, not both.' : 'all is for update. Leave it out, or set mode.';
      throw new AppError('invalid_input', why);
    }
    const filter = filterFor(table, all ? everyRow : given.filter, given.match);
    if (mode === 'insert' && given.filter !== undefined) {
      throw new AppError('invalid_input', 'filter is for update and upsert. Leave it out, or set mode.');
    }
    if (mode !== 'insert' && (matchOn === undefined) === (filter === undefined)) {
      throw new AppError('invalid_input', `${mode} needs match_on (columns) or filter (conditions), not both.`);
    }
    if (filter && wanted.length > 1) {
      throw new AppError(
        'invalid_input',
        'With filter or all, pass exactly one row: its values are set in every row that matches.',
      );
    }
    const usable = matchOn?.includes('id') ? [...table.columns, ...systemColumns.slice(0, 1)] : table.columns;
    const rows = checkedRows(table.name, usable, wanted);
    if (filter && Object.keys(rows[0] ?? {}).length === 0) {
      throw new AppError('invalid_input', 'The row has no values to set.');
    }
    if (matchOn) assertKeys(rows, matchOn);
    const written = await writeRows(client, table, rows, { mode, matchOn, filter, all, dryRun }, signal, (done) =>
      progress(done, rows.length, 'rows'),
    );
    return { table: table.id, ...writtenSummary(written), ...(dryRun && { dry_run: true }) };
  },
});
