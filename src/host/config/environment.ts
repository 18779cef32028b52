import { toMilliseconds } from './duration.ts';
import { databaseFromEnvironment } from '../../n8n/client/database-address.ts';
import type { Problem } from './problems.ts';
import { valueAt } from './schema-problems.ts';
import { own } from '../../kernel/own.ts';
import { WATCHED } from '../../kernel/events.ts';
import { isTree, type Tree } from './tree.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** What the environment says that has no place in the file. */
export interface Environment {
  authToken?: string;
  transport?: 'stdio' | 'http' | 'sse';
  toolsSharedPath?: string;
  /** How the log is written; undefined is by where it goes. */
  logFormat?: 'json' | 'text';
  /** Every `DB_*` variable, under its own name. */
  database: Record<string, string>;
}

interface Fill {
  variable: string;
  path: string[];
  value: unknown;
  problem?: Omit<Problem, 'path'>;
}

/**
 * Fills the gaps of the file from the environment. A value in the file wins: whoever wrote it down meant it,
 * while a variable such as PORT may be there for another program.
 */
export function fillFromEnvironment(tree: Tree, env: Env): { tree: Tree; problems: Problem[] } {
  const filled = structuredClone(tree);
  const problems: Problem[] = [];
  for (const { variable, path, value, problem } of fillsFor(filled, env)) {
    if (valueAt(filled, path) !== undefined) continue;
    if (problem) problems.push({ path: variable, ...problem });
    else put(filled, path, value);
  }
  return { tree: filled, problems };
}

function fillsFor(tree: Tree, env: Env): Fill[] {
  return [
    ...serverFills(env),
    ...logLevelFills(env),
    ...n8nFills(tree, env),
    ...webhookFills(tree, env),
    ...watchFills(env),
    ...timeoutFills(tree, env),
  ];
}

function serverFills(env: Env): Fill[] {
  const fills: Fill[] = [];
  if (env.PORT) {
    const valid = /^\d+$/.test(env.PORT) && Number(env.PORT) <= 65_535;
    fills.push({
      variable: 'PORT',
      path: ['server', 'port'],
      value: Number(env.PORT),
      ...(!valid && { problem: { message: 'is not a port', fix: 'Set it to a number from 0 to 65535, or unset it.' } }),
    });
  }
  if (env.ALLOWED_ORIGINS) {
    const value = listIn(env.ALLOWED_ORIGINS);
    fills.push({ variable: 'ALLOWED_ORIGINS', path: ['server', 'allowedOrigins'], value });
  }
  return fills;
}

const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const LEVELS: Record<string, string> = {
  trace: 'debug',
  verbose: 'debug',
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  fatal: 'error',
};

function logLevelFills(env: Env): Fill[] {
  const path = ['logLevel'];
  // Other programs have a DEBUG of their own, with names in it: only "on" means us.
  const debug = ['MCP_N8N_DEBUG', 'DEBUG'].find((variable) => isOn(env[variable]));
  if (debug !== undefined) return [{ variable: debug, path, value: 'debug' }];
  const variable = env.MCP_N8N_LOG_LEVEL ? 'MCP_N8N_LOG_LEVEL' : 'LOG_LEVEL';
  const given = env[variable];
  if (!given) return [];
  const value = own(LEVELS, given.trim().toLowerCase());
  const problem = { message: 'is not a log level', fix: 'Set it to debug, info, warn or error.' };
  return [{ variable, path, value, ...(value === undefined && { problem }) }];
}

function n8nFills(tree: Tree, env: Env): Fill[] {
  const found = n8nAddress(env);
  const inFile = valueAt(tree, ['n8n', 'default', 'url']);
  const fills: Fill[] = [];
  if (found) {
    const valid = isHttpUrl(found.url);
    const problem = {
      message: 'is not an http or https URL',
      fix: 'Set it to an address such as http://127.0.0.1:5678.',
    };
    fills.push({
      variable: found.variable,
      path: ['n8n', 'default', 'url'],
      value: found.url,
      ...(!valid && { problem }),
    });
  }
  // A key goes with its own address: it is never sent to an instance the environment does not name.
  const elsewhere = typeof inFile === 'string' && found !== undefined && !sameUrl(inFile, found.url);
  if (env.N8N_API_KEY && !elsewhere) {
    fills.push({ variable: 'N8N_API_KEY', path: ['n8n', 'default', 'apiKey'], value: env.N8N_API_KEY });
  }
  // Only for an n8n that is there: these variables alone may belong to anything.
  const database = databaseFromEnvironment(env);
  const configured = fills.length > 0 || valueAt(tree, ['n8n', 'default']) !== undefined;
  if (database !== undefined && configured) {
    fills.push({ variable: 'DB_POSTGRESDB_HOST', path: ['n8n', 'default', 'database'], value: database });
  }
  return fills;
}

function n8nAddress(env: Env): { variable: string; url: string } | undefined {
  const given = ['N8N_HOST', 'N8N_URL', 'N8N_INTERNAL_URL'].flatMap((variable) => {
    const url = env[variable]?.trim();
    return url ? [{ variable, url }] : [];
  });
  const [first] = given;
  const address = given.find(({ url }) => url.includes('://'));
  if (address || !first) return address;
  if (first.variable !== 'N8N_HOST') return first;
  // n8n itself reads N8N_HOST as a bare host name, beside N8N_PROTOCOL and N8N_PORT.
  const host = first.url.includes(':') ? first.url : `${first.url}:${env.N8N_PORT || '5678'}`;
  return { variable: 'N8N_HOST', url: `${env.N8N_PROTOCOL || 'http'}://${host}` };
}

function webhookFills(tree: Tree, env: Env): Fill[] {
  const url = env.N8N_EVENT_WEBHOOK_URL?.trim();
  if (!url || valueAt(tree, ['events', 'webhook', 'url']) !== undefined) return [];
  const problem = { message: 'is not an http or https URL', fix: 'Set it to the address of the webhook, or unset it.' };
  const variable = 'N8N_EVENT_WEBHOOK_URL';
  return [
    { variable, path: ['events', 'webhook', 'url'], value: url, ...(!isHttpUrl(url) && { problem }) },
    // As the gateway that this variable comes from: each event by itself, of watched files and of its own life.
    { variable, path: ['events', 'webhook', 'batch'], value: 1 },
    { variable, path: ['events', 'webhook', 'filter'], value: [WATCHED, 'gateway.*'] },
  ];
}

function watchFills(env: Env): Fill[] {
  const value = listIn(env.SLUICE_WATCH ?? '');
  return value.length === 0 ? [] : [{ variable: 'SLUICE_WATCH', path: ['events', 'watch'], value }];
}

function timeoutFills(tree: Tree, env: Env): Fill[] {
  const timeout = serverTimeout(env);
  if (timeout === undefined) return [];
  return ['mcpServers', 'presets'].flatMap((section) =>
    Object.entries((tree[section] ?? {}) as Tree)
      .filter(([, entry]) => isTree(entry))
      .flatMap(([name]) =>
        ['timeout', 'callTimeout'].map((key) => ({
          variable: 'MCP_N8N_BACKEND_TIMEOUT',
          path: [section, name, key],
          value: `${timeout}ms`,
        })),
      ),
  );
}

/** MCP_N8N_BACKEND_TIMEOUT in milliseconds; a bare number is always seconds, as in the gateway it comes from. */
export function serverTimeout(env: Env): number | undefined {
  const given = env.MCP_N8N_BACKEND_TIMEOUT?.trim();
  if (!given) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1_000 : toMilliseconds(given);
  return ms !== undefined && ms > 0 && ms <= 24 * 3_600_000 ? ms : undefined;
}

const TRANSPORTS: Record<string, Environment['transport']> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  sse: 'sse',
};

const LOG_FORMATS: Record<string, Environment['logFormat']> = {
  json: 'json',
  text: 'text',
  pretty: 'text',
  console: 'text',
};

export function readEnvironment(env: Env): { environment: Environment; problems: Problem[] } {
  const problems: Problem[] = [];
  const transport = env.MCP_TRANSPORT ? own(TRANSPORTS, env.MCP_TRANSPORT.trim().toLowerCase()) : undefined;
  if (env.MCP_TRANSPORT && !transport) {
    problems.push({ path: 'MCP_TRANSPORT', message: 'is not a transport', fix: 'Set it to stdio, http or sse.' });
  }
  const logFormat = env.LOG_FORMAT ? own(LOG_FORMATS, env.LOG_FORMAT.trim().toLowerCase()) : undefined;
  if (env.LOG_FORMAT && !logFormat) {
    problems.push({ path: 'LOG_FORMAT', message: 'is not a format of the log', fix: 'Set it to json or text.' });
  }
  problems.push(...tokenProblems(env), ...laterProblems(env));
  if (env.MCP_N8N_BACKEND_TIMEOUT && serverTimeout(env) === undefined) {
    const fix = 'Set it to a number of seconds up to 86400, for example 30.';
    problems.push({ path: 'MCP_N8N_BACKEND_TIMEOUT', message: 'is not a number of seconds', fix });
  }
  const database = Object.entries(env).filter(
    (item): item is [string, string] => item[0].startsWith('DB_') && item[1] !== undefined,
  );
  return {
    environment: {
      ...(env.MCP_AUTH_TOKEN && { authToken: env.MCP_AUTH_TOKEN }),
      ...(transport && { transport }),
      ...(env.TOOLS_SHARED_PATH && { toolsSharedPath: env.TOOLS_SHARED_PATH }),
      ...(logFormat && { logFormat }),
      database: Object.fromEntries(database),
    },
    problems,
  };
}

const SHORTEST_TOKEN = 16;

/** Nobody is slowed down enough to make a short one safe. */
function tokenProblems({ MCP_AUTH_TOKEN: token }: Env): Problem[] {
  if (!token || token.length >= SHORTEST_TOKEN) return [];
  const fix = 'Make one with `openssl rand -hex 32`.';
  return [{ path: 'MCP_AUTH_TOKEN', message: `has fewer than ${SHORTEST_TOKEN} characters`, fix }];
}

function laterProblems(env: Env): Problem[] {
  const problems: Problem[] = [];
  if (env.SLUICE_STORE && env.SLUICE_STORE !== 'sqlite')
    problems.push({
      path: 'SLUICE_STORE',
      message: 'names a store that is not there yet',
      fix: 'Unset it, or set it to sqlite.',
    });
  if (env.SLUICE_MODULES)
    problems.push({ path: 'SLUICE_MODULES', message: 'names modules, and there are none yet', fix: 'Unset it.' });
  return problems;
}

function isOn(given: string | undefined): boolean {
  return given !== undefined && ['1', 'true', 'yes', 'on'].includes(given.trim().toLowerCase());
}

function isHttpUrl(given: string): boolean {
  return /^https?:/.test(given) && URL.canParse(given);
}

function sameUrl(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href;
}

// Stops where the file has something that is no map: the schema reports that, with its line.
function put(tree: Tree, path: readonly string[], value: unknown): void {
  let node = tree;
  for (const key of path.slice(0, -1)) {
    if (node[key] === undefined) node[key] = {};
    const inner = node[key];
    if (!isTree(inner)) return;
    node = inner;
  }
  const last = path.at(-1);
  if (last !== undefined) node[last] = value;
}
