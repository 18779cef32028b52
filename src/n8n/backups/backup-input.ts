import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { type Backup, backupReasons, type Backups, backupWhy, type Waiting } from './backups.ts';
import { wheres } from './place.ts';

export const backupInput = z.string().min(1).max(500).describe('Backup id; n8n_list_backups shows them');

export const backupNote = z.object({
  id: z.string().describe('For n8n_restore_workflow and n8n_diff_versions'),
  workflow: z.string().describe('Id of the workflow'),
  name: z.string(),
  instance: z.string(),
  taken: z.string(),
  reason: z.enum(backupReasons).describe('The change that followed'),
  why: z.enum(backupWhy).describe('Why it exists; newer ones replace only automatic ones'),
  active: z.boolean().optional().describe('Was live'),
  nodes: z.number(),
  bytes: z.number(),
  where: z.array(z.enum(wheres)).optional().describe('With backups.s3: which places have it'),
});

export const tableNote = z.object({
  id: z.string().describe('For n8n_restore_data_table'),
  instance: z.string(),
  table: z.string().describe('Id of the table'),
  name: z.string(),
  taken: z.string(),
  deleted: z.enum(['table', 'columns', 'rows']).describe('What was deleted next. rows: it has only those rows'),
  bytes: z.number(),
  where: backupNote.shape.where,
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
  const { found, unasked } = await backups.list({ instance, workflow });
  const [newest] = found;
  if (newest === undefined) throw await noneOf(backups, instance, workflow, unasked);
  return backups.read(newest.id);
}

/** The error for a workflow without backups. Suggests similar ids that have some. */
export async function noneOf(
  backups: Backups,
  instance: string | undefined,
  workflow: string,
  unasked: string | undefined,
): Promise<AppError> {
  if (unasked !== undefined) {
    const message = `No backup of workflow ${shown(workflow)} is on disk, and S3 could not be asked: ${unasked}`;
    return new AppError('unavailable', message);
  }
  const { found } = await backups.list({ instance });
  const known = new Set(found.map(({ id }) => id.split('/')[1] as string));
  const near = nearestNames(workflow, known);
  const advice = didYouMean(near, 'n8n_list_backups shows all backups.');
  return new AppError('not_found', `No backup of workflow ${shown(workflow)}. ${advice}`);
}

/** Waits until S3 has these, too, because somebody asked for them. If it cannot, the note says why. */
export async function uncopied(backups: Backups, ids: readonly string[], waiting: Waiting): Promise<{ note?: string }> {
  const why = await backups.copied(ids, waiting);
  return why === undefined ? {} : { note: `On disk, but not in S3 yet: ${why} Sluice keeps trying.` };
}
