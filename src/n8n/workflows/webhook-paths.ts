import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';

const WEBHOOK = 'n8n-nodes-base.webhook';

/** The paths of its webhooks that can be called as they stand: no expression, no parameter in the path. */
export function webhookPaths({ nodes }: Pick<Workflow, 'nodes'>): string[] {
  return nodes.flatMap(({ type, disabled, parameters: { path } }) =>
    type === WEBHOOK && !disabled && typeof path === 'string' && /^[^=:][^:]*$/.test(path) ? [path] : [],
  );
}

/** Asks n8n as a browser would before it posts: that tells whether the webhook is there, and runs nothing. */
export async function isWebhookOpen(client: N8nClient, path: string, signal: AbortSignal): Promise<boolean> {
  const { headers } = await client.plain.send('OPTIONS', `/webhook/${path.replace(/^\/+/, '')}`, {
    headers: { origin: client.url, 'access-control-request-method': 'POST' },
    signal,
  });
  const methods = (headers.get('access-control-allow-methods') ?? '').split(',').map((method) => method.trim());
  return methods.some((method) => method !== '' && method !== 'OPTIONS');
}
