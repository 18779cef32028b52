import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { own } from '../../kernel/own.ts';
import { readDocument } from './document.ts';
import { readDotenv } from './dotenv.ts';
import { type Env, type Environment, fillFromEnvironment, readEnvironment } from './environment.ts';
import { interpolate } from './interpolate.ts';
import { builtInPresets, completePresets } from '../../gateway/config/presets.ts';
import { ConfigError, type Problem } from './problems.ts';
import { type Config, configSchema, type ServerConfig } from './schema.ts';
import { type Finding, findingsOf, valueAt } from './schema-problems.ts';
import { secretsOf } from './secrets.ts';
import { clashesIn, danglingRoutes, isOff } from './source-clashes.ts';
import { unknownRules } from '../../n8n/validation/unknown-rules.ts';
import type { SourceDocument } from './yaml-document.ts';
import type { Tree } from './tree.ts';

export { ConfigError, formatProblems, problemLines } from './problems.ts';
export type { Env, Environment } from './environment.ts';

export interface Loaded {
  config: Config;
  /** Absent where there is no file and everything is default or environment. */
  file?: string;
  /** What to watch: the file and its `.env`, whether or not they exist yet. */
  paths: string[];
  /** The environment with `.env` beneath it. */
  env: Env;
  environment: Environment;
  /** What must not appear in logs and errors, longest first. */
  secrets: string[];
}

export interface LoadOptions {
  /** `--config`: must exist. Without it sluice.yaml, .yml or .json is looked for in `cwd`, then in `home`. */
  file?: string;
  cwd: string;
  env: Env;
  home: string;
}

const NAMES = ['sluice.yaml', 'sluice.yml', 'sluice.json'];

/** Reads the file and the environment into one checked configuration, or throws a ConfigError with every problem. */
export async function loadConfig({ file: wanted, cwd, env: given, home }: LoadOptions): Promise<Loaded> {
  const file = wanted === undefined ? await findFile([cwd, home]) : resolve(cwd, wanted);
  const directory = file === undefined ? cwd : dirname(file);
  const envFile = join(directory, '.env');
  const source = file === undefined ? emptyDocument : await readSource(file);
  if (source.problems.length > 0) throw new ConfigError(source.problems, file);

  const dotenv = await readDotenv(envFile);
  const env: Env = { ...dotenv, ...definedOf(given) };
  const variables: Env = { workspaceFolder: directory, userHome: env.HOME ?? env.USERPROFILE, ...env };

  const written = withPresets(withoutEmptySections(source.value), cwd);
  const { value, used, missing } = interpolate(written, (name) => variables[name]);
  const dormant = missing.filter(({ path }) => isDormant(written, path, env));
  const active = missing.filter((item) => !dormant.includes(item));
  const tree = without(value as Tree, dormant);

  const filled = fillFromEnvironment(tree, env);
  const { environment, problems: environmentProblems } = readEnvironment(env);
  const parsed = configSchema.safeParse(filled.tree);
  // A value that is wrong only because its secret is missing is not reported twice.
  const unset = new Set(active.map(pathOf));
  const findings: Finding[] = [
    ...(parsed.success ? [] : findingsOf(parsed.error.issues, configSchema, filled.tree)),
    ...clashesIn(filled.tree),
    ...danglingRoutes(filled.tree, Object.keys(builtInPresets)),
    ...(await unknownRules(filled.tree)),
  ].filter((finding) => !unset.has(pathOf(finding)));
  const problems = [...(await located([...active, ...findings], source)), ...filled.problems, ...environmentProblems];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems, file);

  return {
    config: anchored(parsed.data, directory),
    ...(file !== undefined && { file }),
    paths: [file ?? join(cwd, 'sluice.yaml'), envFile],
    env,
    environment,
    secrets: secretsOf({ dotenv, used, env, tree: filled.tree }),
  };
}

const emptyDocument: SourceDocument = { value: {}, problems: [], lines: async () => () => undefined };

async function findFile(directories: string[]): Promise<string | undefined> {
  for (const directory of directories) {
    for (const name of NAMES) {
      const path = join(directory, name);
      const found = await stat(path).catch(() => undefined);
      // A directory of that name is what Docker makes of a file that is not there: it is told, not passed over.
      if (found?.isFile() || found?.isDirectory()) return path;
    }
  }
  return undefined;
}

async function readSource(file: string): Promise<SourceDocument> {
  try {
    return await readDocument(await readFile(file, 'utf8'), file.endsWith('.json') ? 'json' : 'yaml');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const fix = own(fixes, code) ?? 'Check the path, or create the file with `sluice init`.';
    throw new ConfigError([{ path: '', message: fileTrouble(error), fix }], file);
  }
}

const fixes: Readonly<Record<string, string>> = {
  EISDIR: 'Name the file in it, such as sluice.yaml.',
  EACCES: 'Change its permissions, or run as its owner.',
  EPERM: 'Change its permissions, or run as its owner.',
};

function definedOf(env: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((item): item is [string, string] => item[1] !== undefined));
}

// `mcpServers:` with all its entries commented out reads as null, and means nothing is there.
function withoutEmptySections(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([, section]) => section !== null));
}

const withPresets = (tree: Tree, cwd: string): Tree =>
  tree.presets === undefined ? tree : { ...tree, presets: completePresets(tree.presets, cwd) };

/** A missing value only matters where something would use it: not in a server or preset that is off. */
function isDormant(tree: Tree, [section, name]: readonly PropertyKey[], env: Env): boolean {
  if (name === undefined) return false;
  const entry = valueAt(tree, [String(section), name]);
  if (section === 'mcpServers') return isOff(entry);
  const variable = section === 'presets' ? valueAt(entry, ['when', 'env']) : undefined;
  return typeof variable === 'string' && !env[variable];
}

// Out of the tree, but remembered as switched off: a preset of the same name must not take its place.
function without(tree: Tree, dormant: readonly { path: readonly PropertyKey[] }[]): Tree {
  const names = (section: string) =>
    dormant.filter(({ path }) => path[0] === section).map(({ path }) => String(path[1]));
  const servers = names('mcpServers');
  const off = [...servers, ...names('presets')];
  if (off.length === 0) return tree;
  return {
    ...tree,
    mcpServers: Object.fromEntries(Object.entries(tree.mcpServers ?? {}).filter(([name]) => !servers.includes(name))),
    presets: { ...(tree.presets as Tree | undefined), ...Object.fromEntries(off.map((name) => [name, false])) },
  };
}

async function located(findings: readonly Finding[], source: SourceDocument): Promise<Problem[]> {
  if (findings.length === 0) return [];
  const lineOf = await source.lines();
  return findings
    .map(({ path, message, fix }) => {
      const line = lineOf(path);
      return { path: pathOf({ path }), ...(line !== undefined && { line }), message, fix };
    })
    .sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity));
}

function pathOf({ path }: { path: readonly PropertyKey[] }): string {
  return path.map(String).join('.');
}

/** Relative paths in the file are meant from where the file is. */
function anchored(config: Config, directory: string): Config {
  const { internal } = config.server;
  return {
    ...config,
    server: {
      ...config.server,
      internal:
        internal && internal.socket !== undefined
          ? { ...internal, socket: resolve(directory, internal.socket) }
          : internal,
    },
    events: {
      ...config.events,
      ...(config.events.jsonl !== undefined && { jsonl: resolve(directory, config.events.jsonl) }),
      ...(config.events.watch && {
        watch: config.events.watch.map((file) => ({ ...file, path: resolve(directory, file.path) })),
      }),
    },
    backups: {
      ...config.backups,
      ...(config.backups.directory !== undefined && { directory: resolve(directory, config.backups.directory) }),
    },
    mcpServers: mapValues(config.mcpServers, (server) => anchorServer(server, directory)),
    presets: mapValues(config.presets, (preset) => preset && { ...preset, ...anchorServer(preset, directory) }),
  };
}

function anchorServer<S extends ServerConfig>(server: S, directory: string): S {
  const { transport, allowedPaths } = server;
  return {
    ...server,
    ...(transport.kind === 'stdio' &&
      transport.cwd !== undefined && { transport: { ...transport, cwd: resolve(directory, transport.cwd) } }),
    ...(allowedPaths && {
      allowedPaths: allowedPaths.map((rule) => ({
        ...rule,
        directories: rule.directories.map((path) => resolve(directory, path)),
      })),
    }),
  };
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
