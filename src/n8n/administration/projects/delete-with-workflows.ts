import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { counted } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Contents } from './contents.ts';

const UNPUBLISH_MS = 15_000;
const AGAIN_MS = 200;

/**
 * Deletes a project or a user. n8n refuses that while a workflow in it is published, so takes the live ones down first,
 * and retries until n8n has finished that.
 */
export async function deleteWithWorkflows(
  client: N8nClient,
  { workflows = [] }: Contents,
  remove: () => Promise<void>,
): Promise<void> {
  const live = workflows.filter(({ active }) => active);
  for (const { id } of live) await client.workflows.unpublish(id);
  for (const until = Date.now() + UNPUBLISH_MS; ; ) {
    try {
      return await remove();
    } catch (error) {
      if (!(error instanceof AppError) || live.length === 0) throw error;
      if (error.code !== 'conflict' || Date.now() > until) {
        throw new AppError(
          error.code,
          `${counted(live.length, 'live workflow')} had been unpublished and backed up, then n8n refused the rest: ${error.message}`,
          { cause: error, ...(error.data && { data: error.data }) },
        );
      }
      await delay(AGAIN_MS);
    }
  }
}
