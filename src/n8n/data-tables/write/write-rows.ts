import { AppError, toAppError } from '../../../kernel/errors.ts';
import { quoted } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Cells, DataTable } from '../../client/data-tables.ts';
import type { MadeFilter } from '../filter.ts';
import { countRows, matchingRows } from '../read-rows.ts';
import { exactly } from './by-ids.ts';
import { insertRows, UnsureError } from './insert.ts';
import { writeMatching } from './match-rows.ts';
import { type Counts, createTally, type Tally } from './tally.ts';

export type Mode = 'insert' | 'update' | 'upsert';

export interface Wanted {
  readonly mode: Mode;
  /** Columns that identify the row to update. */
  readonly matchOn?: readonly string[] | undefined;
  /** The rows to update instead, all with the same values. */
  readonly filter?: MadeFilter | undefined;
  /** The filter may match every row. */
  readonly all?: boolean;
  readonly dryRun: boolean;
}

export interface Written extends Counts {
  /** How many of the given rows are done. */
  readonly done: number;
  /** Why it stopped before the end. An UnsureError: rows after the last one that is done may be written, too. */
  readonly stopped?: AppError;
}

/** Writes checked rows. Throws if nothing was written; otherwise the result says where it stopped. */
export async function writeRows(
  client: N8nClient,
  table: DataTable,
  rows: readonly Cells[],
  wanted: Wanted,
  signal: AbortSignal,
  progress: (done: number) => void = () => {},
): Promise<Written> {
  const tally = createTally(progress);
  if (!wanted.dryRun) await client.abilities.assertScopes(scopesFor(wanted));
  return client.turns.take(`data table ${table.id}`, async () => {
    try {
      await write(client, table, rows, wanted, tally, signal);
      return { ...tally.counts(), done: tally.done() };
    } catch (thrown) {
      const { inserted, updated } = tally.counts();
      if (inserted + updated === 0 && !(thrown instanceof UnsureError)) throw thrown;
      return { ...tally.counts(), done: tally.done(), stopped: toAppError(thrown) };
    }
  });
}

async function write(
  client: N8nClient,
  table: DataTable,
  rows: readonly Cells[],
  { mode, matchOn, filter, all = false, dryRun }: Wanted,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  if (mode === 'insert') {
    if (dryRun) {
      tally.add({ inserted: rows.length });
      return tally.finish(rows.length);
    }
    return insertRows(client, table, rows, signal, (count) => {
      tally.add({ inserted: count });
      tally.finish(count);
    });
  }
  if (matchOn)
    return writeMatching(client, table, rows, { on: matchOn, insert: mode === 'upsert', dryRun }, tally, signal);
  const [row] = rows;
  if (!filter || !row) throw new AppError('invalid_input', 'Say which rows to update: match_on or filter.');
  await writeFiltered(client, table, row, filter, { insert: mode === 'upsert', all, dryRun }, tally, signal);
  tally.finish(1);
}

async function writeFiltered(
  client: N8nClient,
  table: DataTable,
  row: Cells,
  filter: MadeFilter,
  { insert, all, dryRun }: { insert: boolean; all: boolean; dryRun: boolean },
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const { dataTables } = client;
  // n8n returns the rows that it updated, not their number. There may be too many to hold.
  const count = await countRows(client, table, { filter }, signal);
  if (dryRun) return tally.add(count === 0 && insert ? { inserted: 1 } : { updated: count });
  if (!all && count > 1 && count === (await countRows(client, table, {}, signal))) {
    throw new AppError(
      'invalid_input',
      `The filter matches all ${count} rows of the data table ${quoted(table.name)}. Nothing was written. To change every row, pass all: true with mode update, and no filter.`,
    );
  }
  if (filter.forUpdate) {
    if (insert) await dataTables.upsert(table.id, filter.asked, row);
    else if (count > 0) await dataTables.update(table.id, filter.asked, row);
    return tally.add(insert && count === 0 ? { inserted: 1 } : { updated: count });
  }
  if (count === 0) {
    if (insert) await insertRows(client, table, [row], signal, () => tally.add({ inserted: 1 }));
    return;
  }
  for (const { filter: some, count: rows } of exactly(await idsOf(client, table, filter, signal))) {
    signal.throwIfAborted();
    await dataTables.update(table.id, some, row);
    tally.add({ updated: rows });
  }
}

async function idsOf(client: N8nClient, table: DataTable, filter: MadeFilter, signal: AbortSignal): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of matchingRows(client, table, { filter }, signal)) ids.push(Number(id));
  return ids;
}

function scopesFor({ mode, filter }: Wanted): string[] {
  if (mode === 'insert') return ['dataTableRow:create'];
  if (mode === 'upsert' && filter?.forUpdate) return ['dataTableRow:read', 'dataTableRow:upsert'];
  const update = ['dataTableRow:read', 'dataTableRow:update'];
  return mode === 'upsert' ? [...update, 'dataTableRow:create'] : update;
}
