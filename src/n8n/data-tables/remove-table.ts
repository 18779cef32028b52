import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import { insistent } from '../workflows/lost.ts';

/** Deletes a table. Repeats it if n8n's answer was lost. */
export async function removeTable(client: N8nClient, id: string): Promise<void> {
  let again = false;
  await insistent(async () => {
    try {
      await client.dataTables.delete(id);
    } catch (error) {
      // The first attempt deleted it, but its answer was lost.
      if (!again || !(error instanceof AppError) || error.code !== 'not_found') throw error;
    } finally {
      again = true;
    }
  });
}
