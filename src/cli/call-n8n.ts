import { AppError } from '../kernel/errors.ts';
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
    if (!(error instanceof AppError) || !error.message.startsWith('Unknown tool')) throw error;
    throw new AppError(
      'unavailable',
      'no n8n is connected. Put n8n.default: { url, apiKey } into sluice.yaml, or set N8N_URL and N8N_API_KEY; `sluice n8n up` starts one here.',
      { cause: error },
    );
  }
}
