import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';
import type { RawTypes } from '../build/raw.ts';
import { nodePackages, packageTypes } from './installed.ts';
import type { Sources } from './sources.ts';

export interface NpmTypesOptions {
  readonly n8n: string;
  readonly npm: Sources['npm'];
  readonly signal?: AbortSignal | undefined;
  /** Reports the current step and how many steps are done. */
  step(words: string, done: number, of: number): void;
}

const wanted = new Set([
  'package/package.json',
  'package/dist/types/nodes.json',
  'package/dist/types/credentials.json',
]);
const STEPS = 2 + 2 * nodePackages.length;

/** Reads the node types of an n8n version from npm. Downloads two tarballs, and installs and runs nothing. */
export async function npmTypes({ n8n, npm, signal, step }: NpmTypesOptions): Promise<RawTypes> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-nodes-'));
  try {
    step(`looking up the packages of n8n ${n8n}`, 0, STEPS);
    const versions = await packageVersions(n8n, (args) => npm(args, folder, signal));
    const all: RawTypes[] = [];
    for (const [index, name] of nodePackages.entries()) {
      const spec = `${name}@${versions.get(name)}`;
      step(`fetching ${spec}`, 1 + 2 * index, STEPS);
      const printed = await npm(['pack', spec, '--ignore-scripts', '--pack-destination', folder], folder, signal);
      step(`reading ${spec}`, 2 + 2 * index, STEPS);
      all.push(await tarballTypes(name, join(folder, fileName(printed, spec)), join(folder, String(index))));
    }
    step('writing the catalogue', STEPS - 1, STEPS);
    return { nodes: all.flatMap(({ nodes }) => nodes), credentials: all.flatMap(({ credentials }) => credentials) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** n8n's dependencies name the exact versions of its packages. */
async function packageVersions(n8n: string, npm: (args: readonly string[]) => Promise<string>) {
  const printed = await npm(['view', `n8n@${n8n}`, 'dependencies', '--json']);
  const dependencies = Object(parsed(printed)) as Record<string, unknown>;
  return new Map(
    nodePackages.map((name) => {
      const version = dependencies[name];
      if (typeof version === 'string' && /^\d+\.\d+\.\d+[\w.-]*$/.test(version)) return [name, version];
      throw new AppError(
        'not_found',
        `npm's registry does not say which ${name} belongs to n8n ${n8n}. Check that this version exists, or choose another with nodes.version.`,
      );
    }),
  );
}

/** Reads the node types from an npm tarball. Unpacks only the needed files. */
async function tarballTypes(name: string, file: string, folder: string): Promise<RawTypes> {
  const [{ x: extract }, { mkdir }] = await Promise.all([import('tar'), import('node:fs/promises')]);
  await mkdir(folder, { recursive: true });
  try {
    await extract({ file, cwd: folder, strict: true, filter: (path) => wanted.has(path) });
  } catch (error) {
    throw new AppError(
      'unavailable',
      `The tarball of ${name} is incomplete or damaged (${messageOf(error)}). Try again: \`sluice nodes sync\`.`,
      { cause: error },
    );
  }
  return packageTypes(name, join(folder, 'package'));
}

/** npm prints the file name last. Without --json, because that lists thousands of packed files. */
function fileName(printed: string, spec: string): string {
  const name = printed.trim().split('\n').at(-1)?.trim() ?? '';
  if (/^[\w@.+-]+\.tgz$/.test(name)) return name;
  throw new AppError('internal', `npm did not say where it put ${spec}.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
