import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Cells, DataTable } from '../../client/data-tables.ts';
import { isLost, onceBack } from '../../workflows/lost.ts';
import { filterFor } from '../filter.ts';
import { countRows } from '../read-rows.ts';

/** n8n inserts the rows of one request together or not at all. More would keep it from answering others for seconds. */
const CHUNK = { rows: 10_000, bytes: 4_000_000 };

/** The answer to an insert was lost, and n8n could not be asked whether the rows are there. */
export class UnsureError extends AppError {}

/** Inserts rows, in as few requests as possible. `onInserted` gets the number of rows after each. */
export async function insertRows(
  client: N8nClient,
  table: DataTable,
  rows: readonly Cells[],
  signal: AbortSignal,
  onInserted: (count: number) => void,
): Promise<void> {
  if (rows.length === 0) return;
  const extra = inherited(table);
  const whole = Object.keys(extra).length === 0 ? rows : rows.map((row) => ({ ...extra, ...row }));
  const before = await newestId(client, table, signal);
  let inserted = 0;
  for (const chunk of chunksOf(whole)) {
    signal.throwIfAborted();
    try {
      // Without the signal: whether a request that was cancelled half way took effect is hard to tell.
      await client.dataTables.insert(table.id, chunk);
    } catch (error) {
      if (!isLost(error)) throw error;
      if (!(await arrived(client, table, before, inserted, chunk.length, error))) throw error;
    }
    inserted += chunk.length;
    onInserted(chunk.length);
  }
}

/**
 * Columns that a row must name, even without a value: n8n reads a column `constructor` that a row lacks from the row's
 * prototype, and fails.
 */
function inherited({ columns }: DataTable): Cells {
  const names = columns.map(({ name }) => name).filter((name) => name in {});
  return Object.fromEntries(names.map((name) => [name, null]));
}

function* chunksOf(rows: readonly Cells[]): Generator<readonly Cells[]> {
  let [from, bytes] = [0, 0];
  for (const [at, row] of rows.entries()) {
    const size = JSON.stringify(row).length;
    if (at > from && (at - from >= CHUNK.rows || bytes + size > CHUNK.bytes)) {
      yield rows.slice(from, at);
      [from, bytes] = [at, 0];
    }
    bytes += size;
  }
  if (from < rows.length) yield rows.slice(from);
}

/** The highest row id; undefined if the key may not read rows. */
async function newestId(client: N8nClient, { id }: DataTable, signal: AbortSignal): Promise<number | undefined> {
  try {
    const { items } = await client.dataTables.page(id, { sortBy: 'id:desc', limit: 1 }, signal);
    return Number(items[0]?.id ?? 0);
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return undefined;
    throw error;
  }
}

/** Whether rows whose answer was lost are in the table: n8n may have stored them before it went away. */
async function arrived(
  client: N8nClient,
  table: DataTable,
  before: number | undefined,
  inserted: number,
  sent: number,
  lost: AppError,
): Promise<boolean> {
  const unsure = (cause: unknown) =>
    new UnsureError(
      'unavailable',
      `${lost.message} It is not known whether n8n stored the ${sent} rows it was sent last: look at the newest rows before you repeat them.`,
      { cause },
    );
  if (before === undefined) throw unsure(lost);
  const filter = filterFor({ ...table, columns: [] }, [{ column: 'id', condition: 'gt', value: before }]);
  // Not cancelled by the caller: whoever reads the error needs to know.
  const here = new AbortController().signal;
  const now = await onceBack(() => countRows(client, table, { filter }, here)).catch((error: unknown) => {
    throw unsure(error);
  });
  if (now === inserted + sent) return true;
  // After a timeout n8n may still be storing them.
  if (now === inserted && lost.code !== 'timeout') return false;
  throw unsure(lost);
}
