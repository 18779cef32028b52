import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { z } from 'zod';
import type { N8nClient } from '../client/client.ts';
import type { DataTable } from '../client/data-tables.ts';

export const tableInput = z.string().min(1).max(200).describe('Data table, by id or whole name');

/** A data table by id or name. */
export async function existingTable(client: N8nClient, wanted: string, signal: AbortSignal): Promise<DataTable> {
  // An id does not need the list, which a key may not be allowed to read.
  if (/^[a-z0-9]{16}$/i.test(wanted)) {
    const found = await client.dataTables.get(wanted, signal).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    });
    if (found) return found;
  }
  return chosenTable(await Array.fromAsync(client.dataTables.all(signal)), wanted);
}

/** Those with this id or name; without any, those whose name differs only in case. */
export function tablesCalled<T extends { readonly id: string; readonly name: string }>(
  tables: readonly T[],
  wanted: string,
): T[] {
  const exact = tables.filter(({ id, name }) => id === wanted || name === wanted);
  return exact.length > 0 ? exact : tables.filter(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase());
}

/** The table that is meant. Names are unique only within a project. */
export function chosenTable<T extends { readonly id: string; readonly name: string }>(
  tables: readonly T[],
  wanted: string,
): T {
  const meant = tablesCalled(tables, wanted);
  const [found] = meant;
  if (found && meant.length === 1) return found;
  if (found) {
    const ids = meant.map(({ id }) => id).slice(0, 10);
    throw new AppError(
      'conflict',
      `Several data tables are called ${JSON.stringify(shown(wanted))}. Pass the id of one: ${ids.join(', ')}.`,
    );
  }
  const near = nearestNames(
    wanted,
    tables.map(({ name }) => name),
  );
  const advice = didYouMean(inQuotes(near), 'n8n_list_data_tables shows them, n8n_create_data_table creates one.');
  throw new AppError('not_found', `There is no data table ${JSON.stringify(shown(wanted))}. ${advice}`);
}
