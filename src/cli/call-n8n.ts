import { AppError } from '../kernel/errors.ts';
import { type Health, troubleOf } from '../kernel/health.ts';
import type { Json } from '../kernel/source.ts';
import { callOwn, type GatewayClient } from './client.ts';

/** Calls a tool that is there only where an n8n is connected; without one, what to do about it is said. */
export async function callN8n<T>(
  client: GatewayClient,
  tool: string,
  args: Json,
  options: Parameters<typeof callOwn>[3],
): Promise<T> {
  try {
    return await callOwn<T>(client, tool, args, options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    const trouble = await localTrouble(client);
    if (trouble !== undefined) throw new AppError('unavailable', trouble, { cause: error });
    throw new AppError(
      'unavailable',
      'no n8n is connected. Put n8n.default: { url, apiKey } into sluice.yaml, or set N8N_URL and N8N_API_KEY; `sluice n8n up` starts one here.',
      { cause: error },
    );
  }
}

/** Why the n8n that the gateway itself runs is not connected; undefined where it runs none, or a key may not know. */
async function localTrouble(client: GatewayClient): Promise<string | undefined> {
  const { parts = [] } = await callOwn<{ parts?: readonly Health[] }>(client, 'gateway_status').catch(() => ({
    parts: [],
  }));
  const part = parts.find(({ kind }) => kind === 'local-n8n');
  const trouble = part && troubleOf(part);
  if (part === undefined || trouble === undefined) return undefined;
  if (part.state !== 'starting') return `the local n8n does not run: ${trouble}`;
  return `the local n8n ${trouble}. Try again in a moment; \`sluice status\` shows when it is ready.`;
}
