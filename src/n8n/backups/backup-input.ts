import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { type Backup, type Backups, backupWhy } from './backups.ts';

export const backupInput = z.string().min(1).max(500).describe('Backup id; n8n_list_backups shows them');

export const backupNote = z.object({
  id: z.string().describe('For n8n_restore_workflow and n8n_diff_versions'),
  workflow: z.string().describe('Id of the workflow'),
  name: z.string(),
  instance: z.string(),
  taken: z.string(),
  reason: z.enum(['asked', 'update', 'edit', 'delete', 'restore', 'archive']).describe('The change that followed'),
  why: z.enum(backupWhy).describe('Why it exists; newer ones replace only automatic ones'),
  active: z.boolean().optional().describe('Was live'),
  nodes: z.number(),
  bytes: z.number(),
});

export interface Which {
  readonly instance?: string | undefined;
  readonly backup?: string | undefined;
  readonly workflow?: string | undefined;
}

/** Finds a backup by its id, or the newest of a workflow. */
export async function chosenBackup(backups: Backups, { instance, backup, workflow }: Which): Promise<Backup> {
  if (backup !== undefined) return backups.read(backup, workflow);
  if (workflow === undefined) {
    throw new AppError(
      'invalid_input',
      'Say which backup: "backup" is its id; "workflow" takes the newest of that workflow.',
    );
  }
  const [newest] = await backups.ids({ instance, workflow });
  if (newest === undefined) throw await noneOf(backups, instance, workflow);
  return backups.read(newest);
}

/** The error for a workflow without backups. Suggests similar ids that have some. */
export async function noneOf(backups: Backups, instance: string | undefined, workflow: string): Promise<AppError> {
  const known = new Set((await backups.ids({ instance })).map((id) => id.split('/')[1] as string));
  const near = nearestNames(workflow, known);
  const advice = didYouMean(near, 'n8n_list_backups shows all backups.');
  return new AppError('not_found', `No backup of workflow ${shown(workflow)}. ${advice}`);
}
