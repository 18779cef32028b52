import type { Command } from '../kernel/command.ts';
import type { Json } from '../kernel/source.ts';
import { exit, UsageError } from './frame.ts';
import { findRunning, type GatewayAccess } from './reach.ts';
import { readGatewayStatus } from './status.ts';
import type { Terminal } from '../host/terminal.ts';

const clients = ['claude', 'cursor', 'vscode'] as const;

type Client = (typeof clients)[number];

/** How a client gets to the gateway: by its URL, or by a program it starts. */
export type Connection =
  | { url: string; headers?: Record<string, string> }
  | { command: string; args: string[]; env?: Record<string, string> };

export interface ExportDeps {
  access: GatewayAccess;
  /** What the configuration says the URL is, and whether it asks for a key there. */
  configured(config: string | undefined): Promise<{ url: string; needsKey: boolean }>;
  /** How `sluice stdio` is started from anywhere. */
  stdio(config: string | undefined): Promise<Connection>;
}

export function exportCommand({ access, configured, stdio }: ExportDeps, terminal: Terminal): Command {
  return {
    name: 'export',
    summary: 'Prints what connects a client to this gateway',
    usage: 'sluice export claude|cursor|vscode [--stdio | --url U] [--config F]',
    example: 'sluice export cursor > ~/.cursor/mcp.json',
    positionals: [1, 1],
    options: {
      stdio: { type: 'boolean', describe: 'Let the client start `sluice stdio` instead of using the URL' },
      url: { type: 'string', describe: 'The URL to use (that of the running gateway, else of the configuration)' },
      config: { type: 'string', short: 'c', describe: 'The configuration file' },
    },
    async run({ values, positionals: [given = ''] }) {
      const client = clients.find((known) => known === given);
      if (!client) throw new UsageError(`${given} is not one of ${clients.join(', ')}`);
      const config = typeof values.config === 'string' ? values.config : undefined;
      if (values.stdio && values.url !== undefined) throw new UsageError('--stdio needs no --url');
      const connection = values.stdio
        ? await stdio(config)
        : await byUrl(typeof values.url === 'string' ? checkedUrl(values.url) : undefined, config);
      terminal.print(JSON.stringify(snippet(client, connection), null, 2));
      terminal.say(hint(client, connection));
      return exit.done;
    },
  };

  async function byUrl(given: string | undefined, config: string | undefined): Promise<Connection> {
    const { url, needsKey } = await configured(config);
    return { url: given ?? (await runningUrl()) ?? url, ...(needsKey && { headers: keyHeader }) };
  }

  async function runningUrl(): Promise<string | undefined> {
    await using running = await findRunning(access);
    return running && (await readGatewayStatus(running)).url;
  }
}

const keyHeader = { Authorization: 'Bearer YOUR_KEY' };

function checkedUrl(given: string): string {
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
    throw new UsageError(`--url is an address such as http://127.0.0.1:3500/mcp, not ${given}`);
  }
  const url = new URL(given);
  // The address of the gateway is as good as that of its endpoint.
  return url.pathname === '/' ? new URL('/mcp', url).href : given;
}

/** The entry as each client spells it. */
export function snippet(client: Client, connection: Connection): Json {
  const type = 'url' in connection ? 'http' : 'stdio';
  if (client === 'vscode') return { servers: { sluice: { type, ...connection } } };
  // Cursor tells the two apart by their keys.
  return { mcpServers: { sluice: { ...(client === 'claude' && { type }), ...connection } } };
}

/** Where the snippet goes, and the command that does the same. */
export function hint(client: Client, connection: Connection): string {
  const key = 'headers' in connection ? '\nYOUR_KEY is what `sluice keys create --name NAME` prints.' : '';
  if (client === 'cursor') return `Put it into ~/.cursor/mcp.json, or .cursor/mcp.json of a project.${key}`;
  if (client === 'vscode') {
    return `Put it into .vscode/mcp.json of a project, or run "MCP: Open User Configuration".${key}`;
  }
  const words = 'url' in connection ? urlWords(connection) : programWords(connection);
  const line = ['claude', 'mcp', 'add', ...words];
  const desktop =
    'url' in connection
      ? 'Claude Desktop starts programs only: use --stdio there.'
      : 'Claude Desktop keeps it in claude_desktop_config.json.';
  return `Put it into .mcp.json of a project, or run\n  ${line.map(quoted).join(' ')}\n${desktop}${key}`;
}

function urlWords({ url, headers = {} }: Extract<Connection, { url: string }>): string[] {
  const named = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  return ['--transport', 'http', 'sluice', url, ...named];
}

function programWords({ command, args, env = {} }: Exclude<Connection, { url: string }>): string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  return [...variables, '--transport', 'stdio', 'sluice', '--', command, ...args];
}

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
