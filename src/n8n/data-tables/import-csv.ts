import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { n8nTool } from '../tool.ts';
import { cellsIn } from './csv/check.ts';
import { delimiterInput } from './csv/delimiter.ts';
import { mappingInput, typesInput } from './csv/mapping-input.ts';
import { readCsv } from './csv/read-text.ts';
import { createTable, tableNameInput } from './create-table.ts';
import { existingTable, tableInput } from './found-table.ts';
import { matchColumns, matchOnInput, modeInput } from './match-on.ts';
import { briefColumns } from './summary.ts';
import { filled } from './write/fill-table.ts';
import { writeRows } from './write/write-rows.ts';
import { writtenOutput, writtenSummary } from './write-outcome.ts';

const MOST_BYTES = 5_000_000;
/** Renamed headings that the answer shows. */
const MOST_RENAMED = 10;

export const importCsv = n8nTool({
  name: 'n8n_import_csv',
  title: 'Import CSV',
  description:
    'Imports a CSV with a header line into a data table, or creates one and infers the column types. Every row is checked before the first is written. Takes up to 5 MB; for files of any size there is the command sluice n8n table import.',
  effect: 'update',
  phrases:
    'import a csv into a data table; load a csv file into n8n; turn this csv into a data table; upload a spreadsheet into a table; create a data table from csv; add the rows of a csv to a data table; import comma separated values; bring an excel export into n8n; paste a list of contacts into a data table; update a data table from a csv; sync a csv with a data table by email; bulk load a csv; import tab separated data; fill a data table from a file; make a table out of this csv text; csv to data table',
  tags: ['data tables'],
  input: {
    table: tableInput.optional(),
    create: tableNameInput.optional().describe('Or the name of a new table'),
    csv: z.string().min(1).max(MOST_BYTES).describe('The text, with a header line'),
    mode: modeInput.optional(),
    match_on: matchOnInput.optional(),
    mapping: mappingInput.optional(),
    types: typesInput.optional(),
    delimiter: delimiterInput.optional().describe('One character, or tab. Default: as in the header line'),
    project: z.string().min(1).max(100).optional().describe('create: id of a project'),
    dry_run: z.boolean().optional().describe('Only check it, and count what would be written'),
  },
  output: z.object({
    table: z.string().optional().describe('Its id'),
    name: z.string(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })).describe('Columns that the CSV fills'),
    more_columns: z.number().optional().describe('How many of them are not shown'),
    rows: z.number().describe('Rows of the CSV'),
    ...writtenOutput,
    renamed: z.record(z.string(), z.string()).optional().describe('Headings and the columns they became'),
    more_renamed: z.number().optional().describe('How many of these are not shown'),
    ignored: z.array(z.string()).optional().describe('Headings left out: n8n fills these columns in'),
    dry_run: z.boolean().optional(),
  }),
  examples: [
    { title: 'A new table', arguments: { create: 'contacts', csv: 'name,email\nAnna,anna@example.com\n' } },
    {
      title: 'Insert or update by email',
      arguments: {
        table: 'contacts',
        csv: 'E-mail;name\nanna@example.com;Anna\n',
        mode: 'upsert',
        match_on: ['email'],
        mapping: { 'E-mail': 'email' },
      },
    },
  ],
  async run(given, { client }, { signal }, progress) {
    const { create, mode = 'insert', dry_run: dryRun = false } = given;
    if ((given.table === undefined) === (create === undefined)) {
      throw new AppError('invalid_input', 'Pass table (one that exists) or create (the name of a new one).');
    }
    if (create !== undefined && mode !== 'insert') {
      throw new AppError('invalid_input', `mode ${mode} needs a table that exists: pass table.`);
    }
    if (create === undefined && given.types) {
      throw new AppError('invalid_input', 'types is for a new table. The columns of this one have types.');
    }
    const table = given.table === undefined ? undefined : await existingTable(client, given.table, signal);
    const matchOn = table && matchColumns(table, mode, given.match_on);
    if (mode !== 'insert' && !matchOn) throw new AppError('invalid_input', `${mode} needs match_on.`);
    const target = {
      name: table?.name ?? (create as string),
      columns: table?.columns,
      mapping: given.mapping,
      types: given.types,
      matchOn,
    };
    const { headings, columns, records } = readCsv(given.csv, target, given.delimiter);
    const rows = records.map((record) => cellsIn(columns, record));
    const used = columns.filter((column) => column !== undefined);
    const tell = (done: number) => progress(done, rows.length, 'rows');
    const renamed = Object.entries(headings.renamed).map(([heading, column]) => [shown(heading, 60), column]);
    const about = {
      name: target.name,
      ...briefColumns(used.map(({ name, type }) => ({ name, type }))),
      rows: rows.length,
      ...(renamed.length > 0 && { renamed: Object.fromEntries(renamed.slice(0, MOST_RENAMED)) }),
      ...(renamed.length > MOST_RENAMED && { more_renamed: renamed.length - MOST_RENAMED }),
      ...(headings.ignored.length > 0 && { ignored: [...new Set(headings.ignored)] }),
      ...(dryRun && { dry_run: true }),
    };
    if (table) {
      const written = await writeRows(client, table, rows, { mode, matchOn, dryRun }, signal, tell);
      return { table: table.id, ...about, ...writtenSummary(written) };
    }
    if (dryRun) return { ...about, inserted: rows.length, updated: 0 };
    await client.abilities.assertScopes(['dataTable:create', 'dataTableRow:create']);
    const made = await createTable(client, { name: target.name, columns: used, projectId: given.project });
    await filled(client, made, rows, signal, tell);
    return { table: made.id, ...about, inserted: rows.length, updated: 0 };
  },
});
