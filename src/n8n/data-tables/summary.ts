import { z } from 'zod';
import { columnTypes, type DataTable } from '../client/data-tables.ts';

export const tableOutput = z.object({
  id: z.string(),
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.enum(columnTypes) })),
  project: z.string().optional().describe('Id of its project'),
  bytes: z.number().optional().describe('Size on disk'),
  updated: z.string().optional(),
});

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
