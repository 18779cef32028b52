import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import { isExpression } from './located.ts';
import type { Reference } from './references.ts';

export interface Table {
  readonly id: string;
  readonly name: string;
}

/** Every data table; undefined if this n8n or the API key does not list them. */
export async function listTables(client: N8nClient, signal: AbortSignal): Promise<Table[] | undefined> {
  try {
    return await Array.fromAsync(client.dataTables.all(signal));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled') throw error;
    return undefined;
  }
}

/** The tables that workflows use, under the names they had when somebody picked them in the editor. */
export function tablesIn(references: readonly Reference[]): Table[] {
  const names = new Map<string, string>();
  for (const { kind, id, name } of references) {
    if (kind === 'data table' && id !== undefined && name !== undefined) names.set(id, name);
  }
  return [...names].map(([id, name]) => ({ id, name }));
}

/** Completes references: a workflow names a table by id or by name, and the result has both, with the current name. */
export function tableNaming(tables: readonly Table[]): (reference: Reference) => Reference {
  const byId = new Map(tables.map((table) => [table.id, table]));
  return (reference) => {
    const { kind, id, name } = reference;
    if (kind !== 'data table') return reference;
    if (id !== undefined) return withTable(reference, byId.get(id));
    return name === undefined || isExpression(name) ? reference : withTable(reference, tableCalled(tables, name));
  };
}

const withTable = (reference: Reference, table: Table | undefined): Reference =>
  table ? { ...reference, id: table.id, name: table.name } : reference;

/** Same lookup as n8n: ignores case, and matches part of a name if no table has exactly that name. */
function tableCalled(tables: readonly Table[], name: string): Table | undefined {
  const wanted = name.toLowerCase();
  const same = tables.filter((table) => table.name.toLowerCase() === wanted);
  const like = same.length > 0 ? same : tables.filter((table) => table.name.toLowerCase().includes(wanted));
  return like.length === 1 ? like[0] : undefined;
}
