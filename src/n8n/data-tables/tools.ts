import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { createDataTable } from './create-data-table.ts';
import { deleteDataTable } from './delete-data-table.ts';
import { deleteRows } from './delete-rows.ts';
import { exportCsv } from './export-csv.ts';
import { importCsv } from './import-csv.ts';
import { listDataTables } from './list-data-tables.ts';
import { queryRows } from './query-rows.ts';
import { restoreDataTable } from './restore-data-table.ts';
import { updateDataTable } from './update-data-table.ts';
import { writeRowsTool } from './write-rows.ts';

export const dataTableTools: readonly AnyTool<N8nDeps>[] = [
  listDataTables,
  createDataTable,
  updateDataTable,
  deleteDataTable,
  queryRows,
  writeRowsTool,
  deleteRows,
  importCsv,
  exportCsv,
  restoreDataTable,
];
