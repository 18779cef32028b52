import { exit } from '../../../cli/frame.ts';
import type { Place } from '../../../host/place.ts';
import { AppError } from '../../../kernel/errors.ts';
import { createCsvCheck } from '../../data-tables/csv/check.ts';
import { type Headings, readHeadings } from '../../data-tables/csv/headings.ts';
import { chosenTable } from '../../data-tables/found-table.ts';
import { matchColumns } from '../../data-tables/match-on.ts';
import type { AskedImport, CheckedFile } from './asked-import.ts';
import { allTables, type Connected, grouped, type ListedTable, megabytes } from './connect.ts';
import { type CsvFile, openCsv } from './csv-file.ts';
import { assertRoom } from './room.ts';
import { sendRows } from './send-rows.ts';

/** Reads the file twice: checks all of it, then writes it. */
export async function importFile(connected: Connected, { terminal, cwd }: Place, asked: AskedImport): Promise<number> {
  await using file = await openCsv(cwd, asked.file, asked.delimiter);
  const tables = await allTables(connected);
  const table = asked.create ? undefined : chosenTable(tables, asked.table);
  if (asked.create && tables.some(({ name }) => name === asked.table)) {
    throw new AppError(
      'conflict',
      `A data table ${JSON.stringify(asked.table)} exists. Leave --create out to import into it.`,
    );
  }
  const checked = await check(file, table, asked, connected.signal, (bytes) =>
    terminal.progress(`Checking ${megabytes(bytes)} of ${megabytes(file.bytes)}`),
  );
  assertRoom(tables, checked, asked);
  if (asked.fromRow > checked.rows + 1) {
    throw new AppError(
      'invalid_input',
      `${asked.file} has only ${grouped(checked.rows)} rows, so there is no row ${grouped(asked.fromRow)}.`,
    );
  }
  const { headings } = checked;
  for (const [heading, column] of Object.entries(headings.renamed))
    terminal.say(`${heading} is imported as ${column}.`);
  if (headings.ignored.length > 0) terminal.say(`Left out, because n8n fills it in: ${headings.ignored.join(', ')}.`);
  if (asked.create && asked.dryRun) {
    const columns = checked.columns.filter((column) => column !== undefined);
    const made = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    terminal.say(`Would create ${asked.table} (${made}) with ${grouped(checked.rows)} rows.`);
    if (asked.json)
      terminal.print(JSON.stringify({ name: asked.table, columns, rows: checked.rows, dry_run: true }, null, 2));
    return exit.done;
  }
  return await sendRows(connected, terminal, file, checked, table, asked);
}

async function check(
  file: CsvFile,
  table: ListedTable | undefined,
  { table: name, mode, matchOn: wanted }: AskedImport,
  signal: AbortSignal,
  tell: (bytes: number) => void,
): Promise<CheckedFile> {
  const matchOn = table && matchColumns(table, mode, wanted);
  const target = { name: table?.name ?? name, columns: table?.columns, matchOn };
  let found: { headings: Headings; seen: ReturnType<typeof createCsvCheck> } | undefined;
  for await (const records of file.records(tell)) {
    signal.throwIfAborted();
    for (const record of records) {
      if (found) found.seen.see(record);
      else {
        const headings = readHeadings(record.fields, target);
        found = { headings, seen: createCsvCheck(headings, matchOn) };
      }
    }
  }
  if (!found) throw new AppError('invalid_input', 'The CSV is empty. Its first line must hold the headings.');
  return { headings: found.headings, ...found.seen.finish() };
}
