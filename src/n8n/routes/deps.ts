import type { GatewayApi } from '../../gateway/open.ts';
import { denial } from '../../kernel/call.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { BackupSettings } from '../backups/settings.ts';
import type { Backups } from '../backups/backups.ts';
import type { Instances } from '../instances.ts';

export interface BackupRoutesDeps {
  readonly gateway: Pick<GatewayApi, 'registry' | 'call'>;
  /** The connected n8n and their backups; undefined if there is none. */
  connected(): Promise<{ readonly instances: Instances; readonly backups: Backups } | undefined>;
  settings(): BackupSettings;
  redact(text: string): string;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}

export async function connectedFor(deps: BackupRoutesDeps, principal: Principal, tool: string) {
  const known = deps.gateway.registry.find(tool);
  const connected = await deps.connected();
  if (!known || !connected)
    throw new AppError('not_found', 'No n8n is connected. Set N8N_URL and N8N_API_KEY, or run `sluice n8n up`.');
  // What a key may not ask a tool for, it may not read here either.
  const denied = denial(principal, known);
  if (denied) throw denied;
  return connected;
}

/** An answer that no cache keeps, without secrets of Sluice. */
export const fresh = ({ redact }: Pick<BackupRoutesDeps, 'redact'>, body: object): Response =>
  new Response(redact(JSON.stringify(body)), {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
