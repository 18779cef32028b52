import { createN8nClient } from '../../src/n8n/client/client.ts';
import type { Reached } from './workbench.ts';

/** An n8n API key with only these scopes. */
export async function limitedKey(
  { url, owner }: Reached,
  scopes: readonly string[],
): Promise<AsyncDisposable & { readonly apiKey: string }> {
  const { session } = createN8nClient('test', { url, timeoutMs: 30_000, ...(owner && { login: owner }) });
  const label = `limited-${Math.random().toString(36).slice(2, 8)}`;
  const made = (await session.ask('POST', '/api-keys', { body: { label, scopes, expiresAt: null } })) as {
    id: string;
    rawApiKey: string;
  };
  return {
    apiKey: made.rawApiKey,
    async [Symbol.asyncDispose]() {
      await session.ask('DELETE', `/api-keys/${made.id}`);
    },
  };
}
