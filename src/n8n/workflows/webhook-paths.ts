import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';

const WEBHOOK = 'n8n-nodes-base.webhook';

/** The paths of its webhooks that can be called directly: without expressions or parameters. */
export function webhookPaths({ nodes }: Pick<Workflow, 'nodes'>): string[] {
  return nodes.flatMap(({ type, disabled, parameters: { path } }) =>
    type === WEBHOOK && !disabled && typeof path === 'string' && /^[^=:][^:]*$/.test(path) ? [path] : [],
  );
}

/** Sends a CORS preflight request: it shows whether the webhook exists, and runs nothing. */
export async function isWebhookOpen(client: N8nClient, path: string, signal: AbortSignal): Promise<boolean> {
  const { headers } = await client.plain.send('OPTIONS', `/webhook/${path.replace(/^\/+/, '')}`, {
    headers: { origin: client.url, 'access-control-request-method': 'POST' },
    signal,
  });
  const methods = (headers.get('access-control-allow-methods') ?? '').split(',').map((method) => method.trim());
  return methods.some((method) => method !== '' && method !== 'OPTIONS');
}
