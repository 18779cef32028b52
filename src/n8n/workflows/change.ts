import { AppError, messageOf } from '../../kernel/errors.ts';
import type { BackupReason } from '../backups/backups.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import type { WorkflowBody } from '../client/workflows.ts';
import { describeDiff, diffWorkflows, isEmptyDiff } from '../diff/diff.ts';
import type { N8nDeps } from '../tool.ts';
import { writable } from './body.ts';
import { existingWorkflow } from './existing.ts';
import { foreignVersions } from './foreign.ts';
import { isLost, onceBack } from './lost.ts';

export interface Asked {
  readonly id: string;
  readonly reason: BackupReason;
  /** The version the caller has seen. The change is refused if the workflow has another version now. */
  readonly expectedVersion?: string | undefined;
  readonly signal: AbortSignal;
}

export interface Changed {
  readonly before: Workflow;
  readonly after: Workflow;
  /** Absent if nothing changed. */
  readonly backup?: string;
  readonly foreign: readonly string[];
}

/**
 * Saves a new draft of a workflow: compares, backs up, writes, and checks whether somebody else wrote meanwhile.
 * The caller must hold the workflow's turn.
 */
export async function changeWorkflow(
  client: N8nClient,
  { backups }: Pick<N8nDeps, 'backups'>,
  { id, reason, expectedVersion, signal }: Asked,
  next: (now: Workflow) => WorkflowBody | Promise<WorkflowBody>,
): Promise<Changed> {
  const before = await existingWorkflow(client, id, signal);
  await assertExpected(client, before, expectedVersion, signal);
  if (before.isArchived) {
    throw new AppError(
      'conflict',
      `"${before.name}" is archived, so n8n refuses to change it. First call n8n_archive_workflow with "archived": false.`,
    );
  }
  const body = await next(before);
  if (isEmptyDiff(diffWorkflows({ ...before, tags: undefined }, { ...before, ...body, tags: undefined }))) {
    return { before, after: before, foreign: [] };
  }
  const backup = await backups.keep(client.name, before, reason);
  signal.throwIfAborted();
  // Don't cancel from here on: the caller could not know what was saved.
  const after = await write(client, before, body, backup);
  return { before, after, backup, foreign: await foreignVersions(client, before, after) };
}

async function assertExpected(client: N8nClient, now: Workflow, expected: string | undefined, signal: AbortSignal) {
  if (expected === undefined || expected === now.versionId) return;
  const seen = await client.workflows.version(now.id, expected, signal).catch(() => undefined);
  const lines = seen ? describeDiff(diffWorkflows(seen, now)).slice(0, 20) : [];
  const since = lines.length > 0 ? `\nSince then:\n${lines.join('\n')}` : '';
  throw new AppError(
    'conflict',
    `"${now.name}" is at version ${now.versionId}, not at ${expected.slice(0, 100)}: somebody changed it. Nothing was saved. Read it again, then repeat the call with the new version.${since}`,
    { data: { version: now.versionId } },
  );
}

async function write(client: N8nClient, before: Workflow, body: WorkflowBody, backup: string): Promise<Workflow> {
  try {
    return (await client.workflows.update(before.id, body, false)).workflow;
  } catch (error) {
    if (!isLost(error)) throw error;
    return whatHappened(client, before, body, backup, error);
  }
}

/** The answer to a save was lost: read the workflow to find out whether it was saved. */
async function whatHappened(
  client: N8nClient,
  before: Workflow,
  body: WorkflowBody,
  backup: string,
  lost: AppError,
): Promise<Workflow> {
  const now = await onceBack(() => client.workflows.get(before.id)).catch((error: unknown) => {
    throw new AppError(
      'unavailable',
      `The connection to n8n (${client.name}) broke while saving "${before.name}", and n8n still cannot be reached: ${messageOf(error)} It has either the old or the new version; backup ${backup} has the old one.`,
      { cause: lost, data: { backup } },
    );
  });
  if (isSaved(before, now, body)) return now;
  throw new AppError(
    lost.code,
    `"${before.name}" was not saved: ${lost.message} ${stateOf(before, now, lost)} The backup is ${backup}.`,
    { cause: lost, data: { backup } },
  );
}

/** Whether the workflow is what was sent, apart from fields that n8n itself fills in or corrects. */
function isSaved(before: Workflow, now: Workflow, body: WorkflowBody): boolean {
  const fresh = now.versionId !== before.versionId;
  const nodes = body.nodes.map((node) => {
    const held = now.nodes.find(({ id }) => id === node.id);
    const corrected = fresh && held?.credentials && node.credentials ? { credentials: held.credentials } : {};
    return { webhookId: held?.webhookId, ...node, ...corrected };
  });
  return isEmptyDiff(diffWorkflows(writable(now), writable({ ...now, ...body, nodes })));
}

function stateOf(before: Workflow, now: Workflow, lost: AppError): string {
  if (now.versionId !== before.versionId) return 'Somebody else changed it meanwhile: read it again first.';
  // We only stopped waiting: n8n may still be saving.
  if (lost.code === 'timeout')
    return 'It is unchanged so far, but n8n may still save it: read it again before you repeat the call.';
  return 'It is unchanged: you can repeat the call.';
}
