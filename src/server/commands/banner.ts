import type { AuthSettings } from '../../auth/settings.ts';
import type { Health } from '../../kernel/health.ts';
import { troubleOf } from '../../kernel/health.ts';
import type { GatewayApi } from '../../gateway/open.ts';
import type { Absent } from '../../host/part.ts';

export interface Access {
  readonly mode: AuthSettings['mode'];
  /** MCP_AUTH_TOKEN is set. */
  readonly token: boolean;
  /** Nobody has to authenticate. */
  readonly open: boolean;
}

const MAKES_ONE = '`sluice keys create --name claude` makes one';

/** How callers authenticate. */
function accessText({ mode, token, open }: Access): string {
  if (open) return 'open to every program on this machine, without a key';
  const ways = [
    ...(mode === 'oauth' || mode === 'both' ? ['by signing in'] : []),
    ...(mode === 'keys' || mode === 'both' ? [`by key (${MAKES_ONE})`] : []),
    ...(token ? ['by the token in MCP_AUTH_TOKEN'] : []),
  ];
  return ways.join(', or ');
}

/** The placeholder for the client's key; none if the client needs no key. */
function placeholder({ mode, open }: Access): string | undefined {
  if (open || mode === 'oauth' || mode === 'both') return undefined;
  return mode === 'keys' ? 'YOUR_KEY' : 'YOUR_MCP_AUTH_TOKEN';
}

export function banner(version: string, url: string, file: string | undefined, access: Access): string {
  const key = placeholder(access);
  const header = (value: string) => ` --header "Authorization: Bearer ${value}"`;
  const headers = key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } };
  const add = `claude mcp add --transport http sluice ${url}/mcp`;
  return [
    `Sluice ${version}`,
    `  MCP      ${url}/mcp`,
    `  Console  ${url}/`,
    `  Config   ${file ?? 'none; defaults (sluice init writes one)'}`,
    `  Access   ${accessText(access)}`,
    '',
    'Connect your client with',
    `  ${JSON.stringify({ mcpServers: { sluice: { type: 'http', url: `${url}/mcp`, ...headers } } })}`,
    `  ${add}${key === undefined ? '' : header(key)}`,
    ...(access.mode === 'both' ? ['or, where it cannot sign in,', `  ${add}${header('YOUR_KEY')}`] : []),
    '',
  ].join('\n');
}

interface Summarized {
  readonly apis: { readonly gateway: Pick<GatewayApi, 'backends' | 'registry'> };
  absent(): readonly Absent[];
  health(): readonly Health[];
}

const shown: ReadonlySet<Health['kind']> = new Set(['n8n', 'local-n8n', 'module']);

/** How the servers and n8n came up. */
export function summary({ apis: { gateway }, absent, health }: Summarized): string {
  const backends = gateway.backends();
  const lines = backends.map(({ name, state, catalogue, lastError }) =>
    state === 'RUNNING'
      ? `  ${name}: ${catalogue?.tools.length ?? 0} tools`
      : `  ${name}: ${state}${lastError ? ` – ${lastError.message}` : ''}`,
  );
  const parts = health().filter(({ kind }) => shown.has(kind));
  const missing = absent()
    .filter(({ optional }) => !optional)
    .map(({ name, reason }) => `  ${name}: not connected – ${reason}`);
  const none = backends.length === 0 ? ['  No MCP server yet: `sluice init` imports those of your other clients.'] : [];
  return [`Ready: ${gateway.registry.all().length} tools.`, ...none, ...lines, ...parts.map(partLine), ...missing].join(
    '\n',
  );
}

/** An n8n that has not answered yet is shown as connecting, not as down. */
export function partLine(part: Health): string {
  const { name, kind, state, detail = '' } = part;
  if (kind === 'n8n' && state === 'starting') return `  ${name}: connecting to ${detail}`;
  const trouble = troubleOf(part);
  if (trouble === undefined) return `  ${name}: connected (${detail})`;
  return `  ${name}: ${part.fix === undefined ? trouble : `${trouble.replace(/(?<![.!?])$/, '.')} ${part.fix}`}`;
}
