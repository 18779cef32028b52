import { AppError } from '../../kernel/errors.ts';
import { type Health, troubleOf } from '../../kernel/health.ts';
import type { Json } from '../../kernel/source.ts';
import { type CallOptions, callOwn, type GatewayClient } from '../../cli/client.ts';

export const notConnected = () =>
  new AppError(
    'unavailable',
    'no n8n is connected. Put n8n.default: { url, apiKey } into sluice.yaml, or set N8N_URL and N8N_API_KEY; `sluice n8n up` starts one here.',
  );

/** Calls a tool that exists only if an n8n is connected. Without one, the error says what to do. */
export async function callN8n<T>(client: GatewayClient, tool: string, args: Json, options: CallOptions): Promise<T> {
  return await callOwn<T>(client, tool, args, {
    ...options,
    async absent() {
      const trouble = await localTrouble(client);
      return trouble === undefined ? notConnected() : new AppError('unavailable', trouble);
    },
  });
}

/** Why the local n8n is not connected. Undefined if there is none, or if this key may not read the status. */
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
