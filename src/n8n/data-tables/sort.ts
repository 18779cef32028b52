import { z } from 'zod';
import type { DataTable } from '../client/data-tables.ts';
import { columnIn, systemColumns } from './columns.ts';

export const sortInput = z.string().min(1).max(100).describe('column, or column:desc. Default: by id');

/** In n8n's form. n8n answers "Internal server error" if there is no such column. */
export function sortFor(table: DataTable, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const [, name = given, direction = 'asc'] = /^(.*):(asc|desc)$/i.exec(given) ?? [];
  const column = columnIn([...table.columns, ...systemColumns], name, table.name);
  return `${column.name}:${direction.toLowerCase()}`;
}
