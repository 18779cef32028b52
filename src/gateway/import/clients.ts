import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { variableFor } from '../../host/config/interpolate.ts';
import { plainJson } from '../../host/config/jsonc.ts';
import { own } from '../../kernel/own.ts';
import { isTree, type Tree } from '../../host/config/tree.ts';

export { renderConfig } from './render.ts';

export interface ClientConfig {
  client: string;
  path: string;
}

/** The file of an earlier gateway: servers by name or as a list, each behind `<name>_list` and `<name>_call`. */
export const EXTERNAL = 'external-mcp.json';

/** The configurations of MCP clients that exist on this machine. */
export async function findClientConfigs(where: {
  home: string;
  platform: NodeJS.Platform;
  cwd: string;
}): Promise<ClientConfig[]> {
  const candidates = candidatesFor(where);
  const exists = await Promise.all(
    candidates.map(({ path }) =>
      stat(path).then(
        (facts) => facts.isFile(),
        () => false,
      ),
    ),
  );
  return candidates.filter((_, index) => exists[index]);
}

function candidatesFor({
  home,
  platform,
  cwd,
}: {
  home: string;
  platform: NodeJS.Platform;
  cwd: string;
}): ClientConfig[] {
  const applications =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? join(home, 'AppData', 'Roaming')
        : join(home, '.config');
  return [
    { client: 'Claude Desktop', path: join(applications, 'Claude', 'claude_desktop_config.json') },
    { client: 'Claude Code', path: join(home, '.claude.json') },
    { client: 'Claude Code (project)', path: join(cwd, '.mcp.json') },
    { client: 'Cursor', path: join(home, '.cursor', 'mcp.json') },
    { client: 'Cursor (project)', path: join(cwd, '.cursor', 'mcp.json') },
    { client: 'VS Code', path: join(applications, 'Code', 'User', 'mcp.json') },
    { client: 'VS Code (project)', path: join(cwd, '.vscode', 'mcp.json') },
    { client: 'Windsurf', path: join(home, '.codeium', 'windsurf', 'mcp_config.json') },
    { client: EXTERNAL, path: join(cwd, EXTERNAL) },
  ];
}

/**
 * Reads the servers of a client's configuration as `mcpServers` entries of ours, without Sluice itself.
 * With `cwd`, also those that Claude Code keeps for that project in ~/.claude.json.
 */
export async function importServers(path: string, cwd?: string): Promise<Tree> {
  return serversOf(readJson(await readFile(path, 'utf8'), path), basename(path), cwd);
}

/** The same of what a file of this name says. */
export function serversOf(said: unknown, file: string, cwd?: string): Tree {
  const content = treeOf(said);
  const isExternal = file === EXTERNAL;
  const groups = [
    isExternal && serversAlone(said),
    content.mcpServers,
    content.servers,
    treeOf(content.mcp).servers,
    cwd === undefined ? undefined : treeOf(own(treeOf(content.projects), cwd)).mcpServers,
  ];
  const servers = new Map<string, unknown>();
  for (const group of groups) {
    for (const [name, entry] of named(group)) {
      if (!isTree(entry) || isSluice(name, entry)) continue;
      servers.set(name, { ...(isExternal && { expose: 'compact' }), ...adopt(entry) });
    }
  }
  return Object.fromEntries(servers);
}

/** The servers of a file that has nothing else. */
function serversAlone(content: unknown): unknown {
  if (!isTree(content)) return content;
  return Object.fromEntries(
    Object.entries(content).filter(([, entry]) => isTree(entry) && ('url' in entry || 'command' in entry)),
  );
}

/** Servers by name, or a list of entries with a `name`. */
function named(group: unknown): [string, unknown][] {
  if (!Array.isArray(group)) return Object.entries(treeOf(group));
  return group.filter(isTree).flatMap(({ name, ...entry }) => (typeof name === 'string' ? [[name, entry]] : []));
}

function readJson(text: string, path: string): unknown {
  const plain = plainJson(text);
  if (plain.trim() === '') return {};
  try {
    return JSON.parse(plain) as unknown;
  } catch {
    // Do not pass on the parser's message: it quotes the text, which is full of secrets.
    throw new AppError('invalid_input', `${path} is not valid JSON. Open it in its client, which shows where.`);
  }
}

// If Sluice imported itself, every tool would exist twice and every call would loop.
function isSluice(name: string, { command, args }: Tree): boolean {
  // For a URL, the only sign is the name that `sluice export` gives it.
  if (command === undefined) return name === 'sluice';
  const words = [command, ...(Array.isArray(args) ? args : [])].map((word) => basename(String(word)));
  return words.some((word) => /^sluice(\.js|@.*)?$/.test(word));
}

/** Translates keys of other clients to ours. */
function adopt(entry: Tree): Tree {
  const { disabledTools, excludeTools, includeTools, disabled, auth, ...rest } = entry;
  const exclude = [disabledTools, excludeTools].flatMap((list) => (Array.isArray(list) ? list : []));
  const include = Array.isArray(includeTools) ? includeTools : [];
  return withVariables({
    ...rest,
    ...authOf(auth, rest.headers),
    ...(disabled === true && { enabled: false }),
    ...((include.length > 0 || exclude.length > 0) && {
      tools: { ...(include.length > 0 && { include }), ...(exclude.length > 0 && { exclude }) },
    }),
  }) as Tree;
}

/** A bearer token as the header that sends it. Another kind stays what it is, so that it is reported. */
function authOf(auth: unknown, headers: unknown): Tree {
  if (auth === undefined || auth === null) return {};
  if (!isTree(auth) || typeof auth.token !== 'string' || !['bearer', undefined].includes(auth.type as string))
    return { auth };
  return { headers: { Authorization: `Bearer ${auth.token}`, ...treeOf(headers) } };
}

// VS Code asks its user for inputs; here they come from the environment.
function withVariables(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{input:([^}]+)\}/g, (_, id: string) => `\${${variableFor(id)}}`);
  }
  if (Array.isArray(value)) return value.map(withVariables);
  if (!isTree(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withVariables(inner)]));
}

function treeOf(value: unknown): Tree {
  return isTree(value) ? value : {};
}
