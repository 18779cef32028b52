import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import type { N8nClient } from '../client/client.ts';
import type { Column, DataTable } from '../client/data-tables.ts';
import { assertColumns } from './columns.ts';

/** n8n allows 128 characters. */
export const tableNameInput = z.string().trim().min(1).max(128);

/** n8n takes so many for sure. */
const MANY_COLUMNS = 800;

export interface NewTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly projectId?: string | undefined;
}

/** Creates a table whose name and columns n8n accepts. */
export async function createTable(client: N8nClient, table: NewTable): Promise<DataTable> {
  assertColumns(table.columns, 'Nothing was created.');
  try {
    return await client.dataTables.create(table);
  } catch (error) {
    // n8n only says "Internal server error".
    if (error instanceof AppError && error.code === 'internal' && table.columns.length > MANY_COLUMNS) {
      const said = `n8n did not create a table with ${table.columns.length} columns: on SQLite it takes about 900.`;
      throw new AppError('too_large', `${said} Leave some out. Nothing was created.`, { cause: error });
    }
    throw taken(error, table.name);
  }
}

/** Says what to do if the name is in use. */
export function taken(error: unknown, name: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'conflict') return error;
  return new AppError('conflict', `A data table ${JSON.stringify(shown(name))} already exists in this project.`, {
    cause: error,
  });
}
