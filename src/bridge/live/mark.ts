/**
 * What of a workflow tells that it changed. n8n leaves `updatedAt` as it is when a workflow is published or unpublished,
 * when its tags change, and when it moves to another project: so those are part of it. Its description is not: lists
 * leave it out, and a change of it is a new `updatedAt`.
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
