import { AppError } from '../../kernel/errors.ts';
import { chosenBackup } from '../backups/backup-input.ts';
import type { Backup, Backups } from '../backups/backups.ts';
import type { Workflow } from '../client/shapes.ts';
import type { Comparable } from '../diff/diff.ts';
import type { N8nDeps } from '../tool.ts';
import { existingWorkflow } from './existing.ts';
import { versionOf } from './version.ts';

export interface Wanted {
  readonly instance?: string | undefined;
  /** Id of the workflow; not needed with the id of a backup. */
  readonly id?: string | undefined;
  /** `draft`, `published`, a version from the history, `backup` for the newest one, or the id of a backup. */
  readonly before: string;
  readonly after: string;
}

export interface NamedVersion {
  readonly name: string;
  readonly content: Comparable;
}

export interface TwoVersions {
  readonly workflow: { readonly id: string; readonly name: string };
  readonly before: NamedVersion;
  readonly after: NamedVersion;
}

/** Reads two versions of a workflow, without static data: it changes with every run. */
export async function twoVersions(
  { instance, id, before, after }: Wanted,
  { instances, backups: store }: Pick<N8nDeps, 'instances' | 'backups'>,
  signal: AbortSignal,
): Promise<TwoVersions> {
  const named = [before, after].map((side) => side.replace(/^backup:/, ''));
  if (id === undefined && !named.some(isBackupId)) {
    throw new AppError('invalid_input', 'Pass the "id" of the workflow, or the id of a backup as "before".');
  }
  const backups = await Promise.all(named.map((side) => backupOf(store, side, instance, id)));
  const backup = backups.find((one) => one !== undefined);
  const workflowId = id ?? (backup as Backup).workflow;
  // Don't read the workflow if both sides are backups: it may be deleted.
  const workflow = backups.includes(undefined)
    ? await unlessGone(existingWorkflow(instances.get(instance ?? backup?.instance), workflowId, signal), backup)
    : undefined;
  const side = async (at: 0 | 1): Promise<NamedVersion> => {
    const known = backups[at];
    if (known) return { name: known.id, content: { ...known.content, staticData: undefined } };
    const version = named[at] as string;
    const client = instances.get(instance ?? backup?.instance);
    const content = await versionOf(client, workflow as Workflow, version, signal);
    return { name: version, content: { ...content, staticData: undefined } };
  };
  const [old, now] = await Promise.all([side(0), side(1)]);
  return { workflow: { id: workflowId, name: (workflow ?? (backup as Backup)).name }, before: old, after: now };
}

/** A backup id contains slashes; a version id does not. */
const isBackupId = (side: string): boolean => side.includes('/');

async function backupOf(
  backups: Backups,
  side: string,
  instance: string | undefined,
  workflow: string | undefined,
): Promise<Backup | undefined> {
  if (side === 'backup') return chosenBackup(backups, { instance, workflow });
  return isBackupId(side) ? backups.read(side, workflow) : undefined;
}

async function unlessGone(asked: Promise<Workflow>, backup: Backup | undefined): Promise<Workflow> {
  try {
    return await asked;
  } catch (error) {
    if (!backup || !(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError(
      'not_found',
      `"${backup.name}" no longer exists, so there is nothing to compare with. n8n_restore_workflow with "backup": "${backup.id}" brings it back.`,
      { cause: error },
    );
  }
}
