import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Cells, DataTable } from '../../client/data-tables.ts';
import { removeTable } from '../remove-table.ts';
import { batchesOf } from './batches.ts';
import { insertRows } from './insert.ts';

/** Fills a table that was just created. If that fails, deletes the table again. */
export async function filled(
  client: N8nClient,
  table: DataTable,
  rows: Iterable<Cells> | AsyncIterable<Cells>,
  signal: AbortSignal,
  tell: (done: number) => void,
): Promise<void> {
  let done = 0;
  try {
    for await (const some of batchesOf(rows)) {
      await insertRows(client, table, some, signal, (count) => {
        done += count;
        tell(done);
      });
    }
  } catch (error) {
    const removed = await removeTable(client, table.id).then(
      () => true,
      () => false,
    );
    const code = error instanceof AppError ? error.code : 'internal';
    const said = error instanceof AppError ? error.message : 'Writing the rows failed.';
    const after = removed
      ? 'The new table was removed again, so nothing has changed.'
      : `The new table ${table.name} (${table.id}) has ${done} rows and could not be removed: delete it.`;
    throw new AppError(code, `${said} ${after}`, { cause: error });
  }
}
