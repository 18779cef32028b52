import { AppError } from '../../../kernel/errors.ts';
import type { Progress } from '../../../kernel/progress.ts';
import type { Backups } from '../../backups/backups.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Contents } from './contents.ts';

/** Backs up what is about to be deleted with a project or a user. Nothing may be deleted if this fails. */
export async function keepWorkflows(
  client: N8nClient,
  backups: Backups,
  { workflows }: Contents,
  signal: AbortSignal,
  progress: Progress,
): Promise<string[]> {
  if (!workflows) {
    throw new AppError(
      'forbidden',
      'It is not known which workflows would be deleted, so they cannot be backed up. Nothing was deleted. Give the API key the scopes workflow:list and workflow:read, or use transfer_to.',
    );
  }
  const kept: string[] = [];
  for (const [index, { id, name }] of workflows.entries()) {
    signal.throwIfAborted();
    progress(index, workflows.length, `backing up ${name}`);
    kept.push(await backups.keep(client.name, await client.workflows.get(id, signal), 'delete'));
  }
  return kept;
}
