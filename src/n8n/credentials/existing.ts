import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { N8nClient } from '../client/client.ts';
import type { Credential } from '../client/shapes.ts';
import { isNotAllowed, knownCredentials } from './known-credentials.ts';

/** The credential with this id. The error for an unknown id suggests similar ones. */
export async function existingCredential(client: N8nClient, id: string, signal?: AbortSignal): Promise<Credential> {
  try {
    return await client.credentials.get(id, signal);
  } catch (error) {
    const missing = error instanceof AppError && error.code === 'not_found';
    if (!missing && !isNotAllowed(error)) throw error;
    const { credentials } = await knownCredentials(client, signal).catch(() => ({ credentials: [] }));
    const found = missing ? undefined : credentials.find((one) => one.id === id);
    if (found) return found;
    if (!missing && credentials.length === 0) throw error;
    throw new AppError('not_found', `No credential ${shown(id)} in n8n (${client.name}). ${advice(id, credentials)}`, {
      cause: error,
      data: { credentialId: id },
    });
  }
}

function advice(wanted: string, credentials: readonly Credential[]): string {
  const ids = new Map(credentials.flatMap(({ id, name }) => [[id, id] as const, [name, id] as const]));
  const near = nearestNames(wanted, ids.keys()).map((name) =>
    ids.get(name) === name ? name : `"${name}" (id ${ids.get(name)})`,
  );
  return didYouMean(near, 'n8n_list_credentials shows the ids.');
}
