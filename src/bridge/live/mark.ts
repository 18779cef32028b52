/**
 * Changes whenever the workflow changes. `updatedAt` is not enough: n8n does not update it when a workflow is published or
 * unpublished, when its tags change, or when it moves to another project. The description is not part of it: lists omit
 * it, and `updatedAt` covers it.
 */
export function markOf(workflow: Readonly<Record<string, unknown>>): string {
  const { name, updatedAt, versionId, activeVersionId, isArchived } = workflow;
  const tags = list(workflow.tags).map(({ name: tag }) => tag);
  const projects = list(workflow.shared).map(({ projectId }) => projectId);
  const { availableInMCP } = (workflow.settings ?? {}) as Record<string, unknown>;
  return JSON.stringify([
    name,
    updatedAt,
    versionId,
    activeVersionId,
    Boolean(isArchived),
    tags,
    projects,
    availableInMCP,
  ]);
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}
