import { resolve } from 'node:path';
import { exit, UsageError } from '../../cli/frame.ts';
import { findRunning } from '../../cli/reach.ts';
import { configOption, textIn } from '../../cli/values.ts';
import { readGatewayStatus } from '../../gateway/commands/status.ts';
import type { Action } from '../../kernel/command.ts';
import { oneOf } from '../../kernel/nearest-names.ts';
import { reachableUrl } from '../../kernel/reachable-url.ts';
import type { Json } from '../../kernel/source.ts';
import type { ServerPlace } from './starting.ts';

const clients = ['claude', 'cursor', 'vscode'] as const;

type Client = (typeof clients)[number];

/** How a client gets to the gateway: by its URL, or by a program it starts. */
export type Connection =
  | { url: string; headers?: Record<string, string> }
  | { command: string; args: string[]; env?: Record<string, string> };

export function exportCommand(place: ServerPlace): Action {
  const { terminal } = place;
  return {
    usage: 'claude|cursor|vscode [--stdio | --url U] [--config F]',
    example: 'sluice export cursor > ~/.cursor/mcp.json',
    positionals: [1, 1],
    options: {
      stdio: { type: 'boolean', describe: 'Let the client start `sluice stdio` instead of using the URL' },
      url: { type: 'string', describe: 'The URL to use (that of the running gateway, else the configured one)' },
      config: configOption,
    },
    async run({ values, positionals: [word = ''] }) {
      const client = clients.find((known) => known === word);
      if (!client) throw new UsageError(`the client must be ${oneOf(clients)}, not ${word}`);
      const [file, url] = [textIn(values, 'config'), textIn(values, 'url')];
      if (values.stdio && url !== undefined) throw new UsageError('use --stdio or --url, not both');
      const connection = values.stdio
        ? await byProgram(place, file)
        : await byUrl(place, url === undefined ? undefined : checkedUrl(url), file);
      terminal.print(JSON.stringify(snippet(client, connection), null, 2));
      terminal.say(hint(client, connection));
      return exit.done;
    },
  };
}

async function byUrl(place: ServerPlace, wanted: string | undefined, file: string | undefined): Promise<Connection> {
  const { server, auth } = (await place.load(file)).config;
  const base = server.publicUrl?.replace(/\/$/, '') ?? reachableUrl(server.host, server.port);
  const needsKey = auth.mode === 'keys' || (auth.mode === 'none' && auth.token !== undefined);
  const url = wanted ?? (await runningUrl(place)) ?? `${base}/mcp`;
  return { url, ...(needsKey && { headers: keyHeader }) };
}

async function runningUrl(place: ServerPlace): Promise<string | undefined> {
  await using running = await findRunning(place);
  return running && (await readGatewayStatus(running)).url;
}

/** A client starts it elsewhere, where neither this directory nor this environment is known. */
async function byProgram({ load, self, env }: ServerPlace, wanted: string | undefined): Promise<Connection> {
  const { file } = await load(wanted);
  return {
    command: self.command,
    args: [...self.args, 'stdio', ...(file === undefined ? [] : ['--config', file])],
    ...(env.SLUICE_HOME && { env: { SLUICE_HOME: resolve(env.SLUICE_HOME) } }),
  };
}

const keyHeader = { Authorization: 'Bearer YOUR_KEY' };

function checkedUrl(given: string): string {
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
    throw new UsageError(`--url looks like http://127.0.0.1:3500/mcp, not ${given}`);
  }
  const url = new URL(given);
  // Accept the address of the gateway for that of its endpoint.
  return url.pathname === '/' ? new URL('/mcp', url).href : given;
}

/** The entry as each client spells it. */
export function snippet(client: Client, connection: Connection): Json {
  const type = 'url' in connection ? 'http' : 'stdio';
  if (client === 'vscode') return { servers: { sluice: { type, ...connection } } };
  // Cursor needs no type.
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
