import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Workflow } from '../client/shapes.ts';
import { type BackupHead, type BackupReason, backupReasons } from './backups.ts';
import { quietForm } from './quiet-form.ts';

const KIND = 'sluice.workflow';

const headShape = z.looseObject({
  kind: z.literal(KIND),
  instance: z.string(),
  id: z.string(),
  name: z.string(),
  taken: z.string(),
  reason: z.enum(backupReasons),
  active: z.boolean(),
  nodes: z.number(),
  content: z.string(),
});

/** The first line of the backup of a workflow. */
export const headOf = (
  instance: string,
  workflow: Workflow,
  taken: Date,
  reason: BackupReason,
): z.input<typeof headShape> => ({
  kind: KIND,
  format: 1,
  instance,
  id: workflow.id,
  name: workflow.name,
  taken: taken.toISOString(),
  reason,
  active: workflow.active,
  nodes: workflow.nodes.length,
  content: contentHash(workflow),
});

/** Undefined if it is not the first line of such a backup. `content` changes with what the workflow does. */
export function headIn(head: unknown): (BackupHead & { readonly content: string }) | undefined {
  const { data } = headShape.safeParse(head);
  if (!data) return undefined;
  const { instance, id: workflow, name, taken, reason, active, nodes, content } = data;
  return { instance, workflow, name, taken, reason, active, nodes, content };
}

export function contentHash(workflow: Workflow): string {
  const { staticData, activeVersionId } = workflow;
  return createHash('sha256')
    .update(JSON.stringify([quietForm(workflow), staticData ?? null, activeVersionId ?? null]))
    .digest('hex');
}
