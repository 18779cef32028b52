import { AppError } from '../../../kernel/errors.ts';
import type { AskedImport, CheckedFile } from './asked-import.ts';
import { type ListedTable, megabytes } from './connect.ts';

/** How much n8n stores in all data tables, unless N8N_DATA_TABLES_MAX_SIZE_BYTES says otherwise. It tells nobody. */
const USUAL_LIMIT = 200 * 1024 * 1024;

/** n8n refuses rows only once its tables are full, so a large file would stop half way. */
export function assertRoom(
  tables: readonly Pick<ListedTable, 'bytes'>[],
  { rows, bytes }: Pick<CheckedFile, 'rows' | 'bytes'>,
  asked: Pick<AskedImport, 'file' | 'fromRow' | 'mode' | 'anySize'>,
): void {
  const used = tables.reduce((sum, table) => sum + (table.bytes ?? 0), 0);
  const share = rows === 0 ? 0 : Math.max(0, rows - asked.fromRow + 1) / rows;
  const needed = bytes * share;
  if (asked.anySize || asked.mode === 'update' || used + needed <= USUAL_LIMIT) return;
  throw new AppError(
    'too_large',
    `${asked.file} needs about ${megabytes(needed)}, but n8n stores at most ${megabytes(USUAL_LIMIT)} in all data tables, and ${megabytes(used)} are in use. Nothing was written. Import a part of it; or, if N8N_DATA_TABLES_MAX_SIZE_BYTES allows more in your n8n, add --any-size.`,
  );
}
