import { z } from 'zod';
import type { Workflow } from '../client/shapes.ts';

/** A short summary of a workflow. */
export const workflowSummary = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean().describe('Published: its triggers are live'),
  archived: z.boolean().optional(),
  draft: z.boolean().optional().describe('The draft differs from the published version'),
  version: z.string().optional().describe('Version of the draft; pass it as expected_version'),
  nodes: z.number(),
  tags: z.array(z.string()).optional(),
  updated: z.string().optional(),
});

export type WorkflowSummary = z.output<typeof workflowSummary>;

export function summaryOf(workflow: Workflow): WorkflowSummary {
  const { id, name, active, isArchived, versionId, activeVersionId, nodes, tags, updatedAt } = workflow;
  return {
    id,
    name,
    active,
    ...(isArchived && { archived: true }),
    ...(activeVersionId && activeVersionId !== versionId && { draft: true }),
    ...(versionId && { version: versionId }),
    nodes: nodes.length,
    ...(tags && tags.length > 0 && { tags: tags.map((tag) => tag.name) }),
    ...(updatedAt !== undefined && { updated: updatedAt }),
  };
}
