import type { BackendSettings } from '../settings.ts';
import type { Transport } from '../transport.ts';

/**
 * What the connections to a server are made of. As long as it is the same, other settings apply to the connections that
 * are open.
 */
const connectionOf = ({ transport, isolation, replicas, allowInternal, oauth, catalogueKey }: BackendSettings) => ({
  transport,
  isolation,
  replicas,
  allowInternal,
  oauth,
  catalogueKey,
});

export const isSameConnection = (before: BackendSettings, now: BackendSettings): boolean =>
  JSON.stringify(connectionOf(before)) === JSON.stringify(connectionOf(now));

/** Whether it is the same server as before: the same program, or at least one of its addresses. */
export function isSameServer({ transport: before }: BackendSettings, { transport: now }: BackendSettings): boolean {
  if (before.kind === 'stdio' || now.kind === 'stdio') return programOf(before) === programOf(now);
  const known = new Set(before.urls ?? [before.url]);
  return (now.urls ?? [now.url]).some((url) => known.has(url));
}

const programOf = (transport: Transport): string =>
  JSON.stringify(transport.kind === 'stdio' ? [transport.command, transport.args, transport.cwd] : transport);
