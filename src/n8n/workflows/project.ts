import type { Workflow } from '../client/shapes.ts';

/** The project of a workflow. Workflows from a list have only its id. */
export function projectOf({ shared }: Workflow): { readonly id: string; readonly name?: string } | undefined {
  const owner = Array.isArray(shared)
    ? (shared as Record<string, unknown>[]).find(({ role }) => role === 'workflow:owner')
    : undefined;
  if (typeof owner?.projectId !== 'string') return undefined;
  const name = (owner.project as { name?: unknown } | undefined)?.name;
  return { id: owner.projectId, ...(typeof name === 'string' && { name }) };
}
