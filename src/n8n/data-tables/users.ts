import { counted, someOf } from '../../kernel/some-of.ts';
import type { N8nClient } from '../client/client.ts';
import type { DataTable } from '../client/data-tables.ts';
import type { Workflow } from '../client/shapes.ts';
import { isNotAllowed } from '../credentials/known-credentials.ts';
import { listTables, tableNaming } from '../find/data-tables.ts';
import { dependenciesOf } from '../find/dependencies.ts';
import { scanWorkflows } from '../find/scan.ts';
import { namedWorkflow } from '../workflows/dependents.ts';

/** The workflows that use a table, live ones first; undefined if the key may not list workflows. */
export async function workflowsUsing(
  client: N8nClient,
  { id, name }: Pick<DataTable, 'id' | 'name'>,
  signal: AbortSignal,
): Promise<Workflow[] | undefined> {
  const all = await scanWorkflows(client, signal).catch((error: unknown) => {
    if (isNotAllowed(error)) return undefined;
    throw error;
  });
  if (!all) return undefined;
  const tables = (await listTables(client, signal)) ?? [{ id, name }];
  const { usedBy } = dependenciesOf({ kind: 'data table', id, name }, all, tableNaming(tables));
  const users = new Map(usedBy.map(({ workflow }) => [workflow.id, workflow]));
  return [...users.values()].sort((a, b) => Number(b.active) - Number(a.active));
}

/** A sentence that says which workflows use a table, to show before something in it is deleted. */
export async function whoUses(client: N8nClient, table: DataTable, signal: AbortSignal): Promise<string> {
  const users = await workflowsUsing(client, table, signal);
  if (!users) return 'Workflows may use it: the API key may not list workflows.';
  if (users.length === 0) return 'No workflow uses it.';
  return `${counted(users.length, 'workflow')} use${users.length === 1 ? 's' : ''} it: ${someOf(users.map(namedWorkflow))}.`;
}
