import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';

/**
 * Deletes a user or a project and hands over what it owns. n8n's public API has no transfer, its internal one does.
 * Nothing is changed without a login.
 */
export async function transferWithLogin(client: N8nClient, path: string, transferId: string): Promise<void> {
  if (!client.session.possible) {
    throw new AppError(
      'unsupported',
      `n8n's public API cannot hand over what is deleted. Nothing was changed. Add n8n.${client.name}.login: { email, password } to the configuration, or move workflows and credentials with n8n_move first and leave transfer_to out.`,
    );
  }
  await client.session.ask('DELETE', path, { query: { transferId } });
}
