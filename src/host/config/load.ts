import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { own } from '../../kernel/own.ts';
import type { Env, Parts, Path } from '../part.ts';
import { type Completed, readBesides } from './beside.ts';
import { clashesIn } from './claims.ts';
import { readDocument } from './document.ts';
import { readDotenv } from './dotenv.ts';
import { fillGaps } from './fill.ts';
import { type Found, interpolate, referencesIn } from './interpolate.ts';
import { ConfigError, type Problem } from './problems.ts';
import { type ConfigOf, schemaOf } from './schema.ts';
import { type Finding, findingsOf } from './schema-problems.ts';
import { secretsOf } from './secrets.ts';
import type { SourceDocument } from './yaml-document.ts';
import type { Loaded, LoadOptions } from './loaded.ts';
import type { AroundReferences, Referred } from './referred.ts';
import type { Schemes } from './scheme.ts';
import { isTree, type Tree } from './tree.ts';
import type { VariableFiles } from './variable-files.ts';

export type { Loaded, LoadOptions } from './loaded.ts';
export { ConfigError, formatProblems, problemLines, problemsIn } from './problems.ts';

const NAMES = ['sluice.yaml', 'sluice.yml', 'sluice.json'];

/** Reads the file and the environment into one checked configuration, or throws a ConfigError with every problem. */
export async function loadConfig<P extends Parts>(
  all: P,
  { file: wanted, cwd, env: given, home, flags = {}, only, schemes = schemesOf(all), known }: LoadOptions,
): Promise<Loaded<ConfigOf<P>>> {
  const parts = Object.values(all);
  const file = wanted === undefined ? await findFile([cwd, home]) : resolve(cwd, wanted);
  const directory = file === undefined ? cwd : dirname(file);
  const envFile = join(directory, '.env');
  const source = file === undefined ? emptyDocument : await readSource(file);
  if (source.problems.length > 0) throw new ConfigError(source.problems, file);

  const dotenv = await readDotenv(envFile);
  const said: Env = { ...dotenv, ...definedOf(given) };
  // From the last part to the first, so that clashes are reported for the servers in the file.
  const claimsIn = (tree: Tree) => parts.toReversed().flatMap((part) => part.claims?.(tree) ?? []);
  const beside = await readBesides(
    parts.flatMap((part) => (part.beside && (only?.includes(part.beside.section) ?? true) ? [part.beside] : [])),
    { tree: withoutEmptySections(source.value), directory, claims: claimsIn },
  );
  const sections = beside.tree;
  const secretVariables = () => [
    ...parts.flatMap((part) => part.secretVariables?.(sections, said) ?? []),
    ...Object.values(schemes).flatMap((scheme) => scheme.secretVariables ?? []),
  ];
  const inFiles = await readInFiles(secretVariables, said, (path) => resolve(cwd, path));
  const env: Env = { ...said, ...inFiles.values };
  const variables: Env = { workspaceFolder: directory, userHome: env.HOME ?? env.USERPROFILE, ...env };

  const written = parts.reduce<Tree>(
    (tree, { prepare }) => prepare?.(tree, cwd) ?? tree,
    only ? sectionsNamed(sections, only) : sections,
  );
  const lookup = (name: string) => variables[name];
  const fromFile = (path: string) => resolve(directory, path);
  const unusedOf = (paths: readonly Path[]) =>
    parts.flatMap(({ spare }) => (spare ? [spare(paths, written, env)] : []));
  const named = Object.keys(schemes);
  const referred = await readReferred(referencesIn(written, named), schemes, {
    unused: (paths) => unusedOf(paths).flatMap((spared) => spared.paths),
    // Also if only some sections are read: another one says where the secrets are.
    file: () => interpolate(sections, lookup, { schemes: named, find: () => ({ value: '' }) }).value as Tree,
    env,
    resolve: fromFile,
    known,
  });
  const { value, used, missing } = interpolate(written, lookup, { schemes: named, find: referred.find });
  const spared = unusedOf(missing.map(({ path }) => path));
  const active = missing.filter(({ path }) => !spared.some(({ paths }) => paths.includes(path)));
  const tree = spared.reduce<Tree>((all, { without }) => without(all), value as Tree);

  const fills = parts.flatMap(({ environment }) => environment?.(tree, { env, cwd }) ?? []);
  const filled = fillGaps(tree, () => fills);
  const schema = schemaOf(all);
  const parsed = schema.safeParse(filled.tree);
  const settings = parsed.success ? (parsed.data as Record<string, unknown>) : undefined;
  const claims = claimsIn(filled.tree);
  // Do not report a value a second time that is wrong only because its secret is missing.
  const unset = new Set(active.map(pathOf));
  const findings: Finding[] = [
    ...(parsed.success ? [] : findingsOf(parsed.error.issues, schema, filled.tree)),
    ...clashesIn(claims),
    ...(await Promise.all(parts.map(async (part) => part.problems?.(filled.tree, settings, fromFile) ?? []))).flat(),
  ].filter((finding) => !unset.has(pathOf(finding)));
  const problems = [
    ...(await located([...referred.firstOfEach(active), ...findings], source, beside)),
    ...beside.problems,
    ...filled.problems,
    ...inFiles.problems,
  ];
  const { references } = referred;
  const paths = [
    file ?? join(cwd, 'sluice.yaml'),
    envFile,
    ...beside.paths,
    ...inFiles.paths,
    ...(references?.paths ?? []),
  ];
  if (!settings || problems.length > 0) throw new ConfigError(problems, file, { references, paths });
  const whole = over(filled.tree, flags);
  const inForce = Object.keys(flags).length > 0 ? (schema.parse(whole) as typeof settings) : settings;

  return {
    config: parts.reduce(
      (all, { anchor }) => ({ ...all, ...(anchor?.(all, fromFile) as object | undefined) }),
      inForce,
    ) as ConfigOf<P>,
    written,
    said: whole,
    ...(file !== undefined && { file }),
    paths,
    env,
    claims,
    ...(references && { references }),
    secrets: secretsOf({
      dotenv,
      used: [...used, ...Object.values(inFiles.values), ...fills.flatMap(({ secret }) => secret ?? [])],
      env,
      tree: filled.tree,
      shown: [
        ...claims.map(({ name }) => name),
        (inForce.server as { publicUrl?: string } | undefined)?.publicUrl ?? '',
      ],
    }),
  };
}

/** `${file:path}` needs no part. */
const ofEveryone: Schemes = { file: { load: async () => (await import('./file-references.ts')).readFileReferences } };

/** What the references of the parts' schemes lead to. */
export const schemesOf = (parts: Parts): Schemes =>
  Object.assign({}, ofEveryone, ...Object.values(parts).map(({ references }) => references)) as Schemes;

/** Reads the variables that are in files. Without one, no code is loaded for it. */
async function readInFiles(
  candidates: () => readonly string[],
  env: Env,
  from: (path: string) => string,
): Promise<VariableFiles> {
  const isGiven = Object.keys(env).some((name) => name.endsWith('_FILE'));
  const names = isGiven ? [...new Set(candidates())].filter((name) => own(env, `${name}_FILE`)) : [];
  if (names.length === 0) return { values: {}, paths: [], problems: [] };
  return await (await import('./variable-files.ts')).readVariableFiles(names, env, from);
}

/** Reads what the references in the file stand for. Without one, no code is loaded for it. */
async function readReferred(found: readonly Found[], schemes: Schemes, around: AroundReferences): Promise<Referred> {
  if (found.length > 0) return await (await import('./referred.ts')).readReferred(found, schemes, around);
  return { find: () => ({ value: '' }), firstOfEach: (missing) => [...missing] };
}

/** Merges the flags over the file, key by key. Problems in the file are reported in any case. */
function over(file: Tree, flags: Tree): Tree {
  const merged = { ...file };
  for (const [key, value] of Object.entries(flags)) {
    const below = own(file, key);
    merged[key] = isTree(value) && (isTree(below) || below === undefined) ? over(below ?? {}, value) : value;
  }
  return merged;
}

const emptyDocument: SourceDocument = { value: {}, problems: [], lines: async () => () => undefined };

async function findFile(directories: string[]): Promise<string | undefined> {
  for (const directory of directories) {
    for (const name of NAMES) {
      const path = join(directory, name);
      const found = await stat(path).catch(() => undefined);
      // Docker creates a directory when the file is missing. Return it, so that the error says so.
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
  EISDIR: 'Name a file inside it, for example sluice.yaml.',
  EACCES: 'Change its permissions, or run as its owner.',
  EPERM: 'Change its permissions, or run as its owner.',
};

function definedOf(env: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((item): item is [string, string] => item[1] !== undefined));
}

// `mcpServers:` with all entries commented out reads as null and means an empty section.
function withoutEmptySections(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([, section]) => section !== null));
}

const sectionsNamed = (tree: Tree, names: readonly string[]): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([key]) => names.includes(key)));

async function located(
  findings: readonly Finding[],
  source: SourceDocument,
  { fileOf }: Completed,
): Promise<Problem[]> {
  if (findings.length === 0) return [];
  const lineOf = await source.lines();
  return findings
    .map(({ path, message, fix }) => {
      const elsewhere = fileOf(path);
      if (elsewhere !== undefined) return { path: `${elsewhere}: ${pathOf({ path })}`, message, fix };
      const line = lineOf(path);
      return { path: pathOf({ path }), ...(line !== undefined && { line }), message, fix };
    })
    .sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity));
}

function pathOf({ path }: { path: Path }): string {
  return path.map(String).join('.');
}
