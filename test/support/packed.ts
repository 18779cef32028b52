/** The package as npm publishes it, made from a fresh clone, and installed where nothing of this checkout is. */
import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../../', import.meta.url));
const notCloned = new Set(['node_modules', 'dist', '.git', 'results']);

export interface PackedFile {
  readonly path: string;
  readonly size: number;
}

export interface Packed {
  readonly tarball: string;
  readonly files: readonly PackedFile[];
  readonly size: number;
  readonly unpackedSize: number;
}

/** `npm pack` in a clone after `npm ci`. */
export async function packInClone(directory: string): Promise<Packed> {
  const clone = join(directory, 'clone');
  await cp(checkout, clone, {
    recursive: true,
    filter: (path) => !notCloned.has(relative(checkout, path).split(sep)[0] ?? ''),
  });
  await symlink(join(checkout, 'node_modules'), join(clone, 'node_modules'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory], {
    cwd: clone,
    env: npmEnv(),
    maxBuffer: 2 ** 25,
  });
  // npm prints the output of the build first.
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[\s*$/m))) as [Packed & { filename: string }];
  return { ...packed, tarball: join(directory, packed.filename) };
}

export interface Installed {
  readonly folder: string;
  /** The environment of somebody who has Node 24 and npm, with a home of his own. */
  readonly env: Record<string, string>;
}

/** `npm install` of that package in an empty folder, with what it needs from the registry. */
export async function installPacked({ tarball }: Packed, directory: string): Promise<Installed> {
  const [folder, bin, user] = ['installed', 'bin', 'user'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, bin, user]) await mkdir(path);
  await symlink(process.execPath, join(bin, 'node'));
  const PATH = [bin, ...plainPath()].join(delimiter);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options, tarball], { cwd: folder, env: { ...npmEnv(), PATH } });
  return { folder, env: { PATH, HOME: user, npm_config_update_notifier: 'false' } };
}

/** As in a shell: without what the npm that runs this test says to its scripts. */
function npmEnv(): NodeJS.ProcessEnv {
  const said =
    /^(?:npm_(?!config_)|npm_config_(?:local_prefix|package|prefix|user_agent)$|INIT_CWD$|NODE_OPTIONS$|VITEST|NODE_ENV$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !said.test(name)));
}

/** Without the programs of this checkout. */
function plainPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
}
