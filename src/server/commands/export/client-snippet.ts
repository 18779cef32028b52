import type { Json } from '../../../kernel/source.ts';
import type { Connection } from './connection.ts';

export type Client = 'claude' | 'cursor' | 'vscode';

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
