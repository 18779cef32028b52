import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Progress } from '../../../kernel/progress.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Backups } from '../../backups/backups.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Contents } from './contents.ts';

export const backupsOutput = {
  backups: z.array(z.string()).optional().describe('Backups of the workflows that were deleted, too'),
  more_backups: z.number().optional().describe('How many are not listed here; n8n_list_backups shows all'),
};

/** As many backups as fit into an answer. */
export function shownBackups(kept: readonly string[]) {
  if (kept.length === 0) return {};
  const backups = kept.slice(0, fittingItems(kept));
  return { backups, ...(backups.length < kept.length && { more_backups: kept.length - backups.length }) };
}

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
      'It is not known which workflows would be deleted, so they cannot be backed up. Nothing was deleted. Give the API key the scopes workflow:list and workflow:read, or add a login to the configuration.',
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
