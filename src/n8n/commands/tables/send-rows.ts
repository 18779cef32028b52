import { exit } from '../../../cli/frame.ts';
import type { Terminal } from '../../../host/terminal.ts';
import { AppError, messageOf } from '../../../kernel/errors.ts';
import type { OutputOf } from '../../../kernel/tool.ts';
import type { Cells } from '../../client/data-tables.ts';
import type { createDataTable } from '../../data-tables/create-data-table.ts';
import { isRounded } from '../../data-tables/cell.ts';
import { cellsIn } from '../../data-tables/csv/check.ts';
import type { queryRows } from '../../data-tables/query-rows.ts';
import { none } from '../../data-tables/write/tally.ts';
import type { writeRowsTool } from '../../data-tables/write-rows.ts';
import type { AskedImport, CheckedFile } from './asked-import.ts';
import { type Connected, grouped, type ListedTable, LostAnswer } from './connect.ts';
import { ChangedFile, type CsvFile } from './csv-file.ts';

/** What one call writes. n8n stores the rows of a call together or not at all. */
const BATCH = { rows: 5000, characters: 1_500_000 };

type Written = OutputOf<typeof writeRowsTool>;

interface Progress {
  counts: typeof none;
  /** The next row to write. */
  next: number;
  /** Whether rows from there on may be written, too. */
  isUnsure: boolean;
}

/** The second pass: writes the rows. A table that is created for them is removed again if that fails. */
export async function sendRows(
  connected: Connected,
  terminal: Terminal,
  file: CsvFile,
  checked: CheckedFile,
  existing: ListedTable | undefined,
  asked: AskedImport,
): Promise<number> {
  await file.assertSame();
  const table = existing ?? (await created(connected, checked, asked));
  const before = existing && asked.mode === 'insert' && !asked.dryRun ? await newestId(connected, table.id) : undefined;
  const state: Progress = { counts: none, next: asked.fromRow, isUnsure: false };
  try {
    await send(connected, terminal, file, checked, table.id, asked, state);
  } catch (thrown) {
    // A bad line was good when it was checked.
    const error = await file.assertSame().then(
      () => thrown,
      (changed: unknown) => changed,
    );
    terminal.say(messageOf(error));
    if (existing) terminal.say(aftermath(state, checked, asked, before, error));
    else terminal.say(await removed(connected, table));
    return exit.failed;
  }
  const done = {
    table: table.id,
    name: table.name,
    rows: checked.rows,
    ...state.counts,
    ...(asked.dryRun && { dry_run: true }),
  };
  if (asked.json) terminal.print(JSON.stringify(done, null, 2));
  else if (!existing) terminal.print(table.id);
  const words = Object.entries(state.counts).filter(([, count]) => count > 0);
  const counted = words.map(([word, count]) => `${grouped(count)} ${word}`).join(', ') || 'nothing to write';
  terminal.say(`${table.name}: ${asked.dryRun ? 'would be ' : ''}${counted}.`);
  return exit.done;
}

async function send(
  { write, signal }: Connected,
  terminal: Terminal,
  file: CsvFile,
  { columns, rows: total }: CheckedFile,
  table: string,
  asked: AskedImport,
  state: Progress,
): Promise<void> {
  let batch: Cells[] = [];
  let characters = 0;
  // The header is not a row.
  let row = -1;
  const how = {
    mode: asked.mode,
    ...(asked.matchOn && { match_on: asked.matchOn }),
    ...(asked.dryRun && { dry_run: true }),
  };
  const flush = async () => {
    if (batch.length === 0) return;
    signal.throwIfAborted();
    await file.assertSame();
    const done: Written = await write('n8n_write_rows', { table, rows: batch, ...how });
    const { inserted, updated, unchanged = 0, missing = 0, stopped } = done;
    const { counts } = state;
    state.counts = {
      inserted: counts.inserted + inserted,
      updated: counts.updated + updated,
      unchanged: counts.unchanged + unchanged,
      missing: counts.missing + missing,
    };
    state.next += stopped ? stopped.next_row - 1 : batch.length;
    state.isUnsure = stopped?.unsure === true;
    if (stopped) throw new AppError('unavailable', stopped.reason);
    terminal.progress(`Written ${grouped(state.next - 1)} of ${grouped(total)} rows`);
    [batch, characters] = [[], 0];
  };
  for await (const records of file.records(() => {})) {
    for (const record of records) {
      row++;
      if (row < asked.fromRow) continue;
      const size = record.fields.reduce((sum, field) => sum + (field?.length ?? 0) + 20, 0);
      if (batch.length >= BATCH.rows || characters + size > BATCH.characters) await flush();
      batch.push(asTexts(cellsIn(columns, record)));
      characters += size;
    }
  }
  await flush();
}

/** Long integers as texts: JSON does not tell whether they were rounded, so the tool would refuse them. */
function asTexts(cells: Cells): Cells {
  const entries = Object.entries(cells);
  if (!entries.some(([, value]) => typeof value === 'number' && isRounded(value))) return cells;
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]));
}

async function created({ write }: Connected, { columns }: CheckedFile, { table: name }: AskedImport) {
  const used = columns.filter((column) => column !== undefined);
  return await write<OutputOf<typeof createDataTable>>('n8n_create_data_table', { name, columns: used });
}

/** The highest id before the import. Undefined if it cannot be read; then the import can still go on. */
async function newestId({ call }: Connected, table: string): Promise<number | undefined> {
  const args = { table, columns: ['id'], sort: 'id:desc', limit: 1 };
  const found = await call<OutputOf<typeof queryRows>>('n8n_query_rows', args).catch(() => undefined);
  return found ? Number(found.rows?.[0]?.id ?? 0) : undefined;
}

async function removed(
  { write }: Connected,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<string> {
  try {
    await write('n8n_delete_data_table', { table: id, backup: false }, true);
    return `The new table ${name} was removed again, so nothing has changed.`;
  } catch (error) {
    return `The new table ${name} (${id}) could not be removed: ${messageOf(error)} Delete it before you import again.`;
  }
}

/** Says what was written, and how to go on or undo it. */
function aftermath(
  { counts, next, isUnsure: saidSo }: Progress,
  { rows }: CheckedFile,
  asked: AskedImport,
  before: number | undefined,
  error: unknown,
): string {
  // Updating and upserting once more changes nothing.
  const isUnsure = asked.mode === 'insert' && (saidSo || error instanceof LostAnswer);
  const written = counts.inserted + counts.updated;
  if (written === 0 && next === asked.fromRow && !isUnsure) return 'Nothing was written.';
  const lines = [
    `${grouped(next - asked.fromRow)} of ${grouped(rows)} rows were written (${grouped(counts.inserted)} inserted, ${grouped(counts.updated)} updated). It stopped at row ${grouped(next)}.`,
    ...(isUnsure ? ['The rows that were sent last may be there, too. Look at the newest rows first.'] : []),
    error instanceof ChangedFile
      ? `The rows of ${asked.file} may have other numbers now. To go on, import a file with the rows that are missing.`
      : `To go on, repeat the command with --from-row ${next}.`,
  ];
  if (asked.mode === 'insert' && before !== undefined) {
    const filter = `[{"column":"id","condition":"gt","value":${before}}]`;
    lines.push(`To undo it: n8n_delete_rows with the filter ${filter}. It also deletes rows that others added since.`);
  }
  return lines.join('\n');
}
