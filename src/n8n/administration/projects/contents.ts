import { counted, someOf } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Credential, Workflow } from '../../client/shapes.ts';
import { listTables } from '../../find/data-tables.ts';
import { namedWorkflow } from '../../workflows/dependents.ts';
import { unlessRefused } from '../refused.ts';

/** What a project holds. Undefined: n8n does not let the API key see it. */
export interface Contents {
  readonly workflows: readonly Workflow[] | undefined;
  readonly credentials: readonly Credential[] | undefined;
  readonly tables: number | undefined;
}

export async function contentsOf(client: N8nClient, project: string, signal: AbortSignal): Promise<Contents> {
  const workflows = await unlessRefused(Array.fromAsync(client.workflows.all({ projectId: project }, signal)));
  const credentials = await unlessRefused(Array.fromAsync(client.credentials.all(signal)));
  const tables = await listTables(client, signal);
  return {
    workflows: workflows?.filter((one) => isOwnedBy(project, one)),
    credentials: credentials?.filter((one) => ownerOfCredential(one) === project),
    tables: tables?.filter((table) => 'projectId' in table && table.projectId === project).length,
  };
}

/** n8n also lists the workflows that are only shared with a project. They stay when it goes. */
const isOwnedBy = (project: string, { shared }: Workflow): boolean =>
  !Array.isArray(shared) ||
  shared.length === 0 ||
  (shared as Record<string, unknown>[]).some((one) => one.projectId === project && one.role === 'workflow:owner');

/** The id of the project that owns it. Only credentials from a list have it. */
export function ownerOfCredential({ shared }: Credential): string | undefined {
  const owner = Array.isArray(shared)
    ? (shared as Record<string, unknown>[]).find(({ role }) => role === 'credential:owner')
    : undefined;
  return typeof owner?.id === 'string' ? owner.id : undefined;
}

/** `3 workflows ("A" (1, live), …), 1 credential and 2 data tables`, for a sentence. */
export function inWords({ workflows, credentials, tables }: Contents): string {
  const known = [
    workflows && `${counted(workflows.length, 'workflow')}${named(workflows.map(namedWorkflow))}`,
    credentials && `${counted(credentials.length, 'credential')}${named(credentials.map(({ name }) => `"${name}"`))}`,
    tables !== undefined && counted(tables, 'data table'),
  ].filter((part) => typeof part === 'string');
  const hidden = [
    ...(workflows ? [] : ['workflows']),
    ...(credentials ? [] : ['credentials']),
    ...(tables === undefined ? ['data tables'] : []),
  ];
  const rest = hidden.length > 0 ? `; the API key may not list its ${hidden.join(' and ')}` : '';
  return `${known.join(', ') || 'unknown contents'}${rest}`;
}

const named = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${someOf(names, 5)})`);
