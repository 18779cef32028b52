import { z } from 'zod';
import { columnTypes, type DataTable } from '../client/data-tables.ts';

export const tableOutput = z.object({
  id: z.string(),
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.enum(columnTypes) })),
  more_columns: z.number().optional().describe('How many are not shown; n8n_list_data_tables with limit shows all'),
  project: z.string().optional().describe('Id of its project'),
  bytes: z.number().optional().describe('Size on disk'),
  updated: z.string().optional(),
});

const FEW_COLUMNS = 30;

/** For the answer to a change: a wide table has more columns than anybody wants to read again. */
export function briefTable(table: DataTable) {
  const { columns, ...summary } = tableSummary(table);
  return { ...summary, ...briefColumns(columns) };
}

export function briefColumns<T>(columns: readonly T[]): { columns: T[]; more_columns?: number } {
  const more = columns.length - FEW_COLUMNS;
  return { columns: columns.slice(0, FEW_COLUMNS), ...(more > 0 && { more_columns: more }) };
}

export function tableSummary({ id, name, columns, projectId, sizeBytes, updatedAt }: DataTable) {
  return {
    id,
    name,
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
    ...(projectId !== undefined && { project: projectId }),
    ...(sizeBytes !== undefined && { bytes: sizeBytes }),
    ...(updatedAt !== undefined && { updated: updatedAt }),
  };
}
