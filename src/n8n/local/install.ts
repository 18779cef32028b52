import { constants } from 'node:fs';
import { access, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { runNpm } from '../../host/npm.ts';
import { waitForLock } from '../../host/process-lock.ts';
import { AppError } from '../../kernel/errors.ts';
import { checkedN8n, PINNED_N8N } from '../../nodes/which-n8n.ts';
import { untilEmpty } from '../../wire/process-group.ts';
import { readJson, writeJson } from './json-file.ts';
import { npmProblemOfN8n } from './npm-problem.ts';
import { essentialFiles, manifestFor, type Platform, packageFolders } from './packages.ts';
import { installDirectory } from './places.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The progress of the installation. */
export type InstallProgress =
  | { phase: 'waiting' }
  | { phase: 'resolving'; done: number }
  | { phase: 'unpacking'; done: number; total: number }
  | { phase: 'compiling'; seconds: number };

export interface InstallOptions {
  cache: string;
  env: Env;
  version?: string;
  signal?: AbortSignal;
  onProgress?(progress: InstallProgress): void;
  on?: Platform;
  /** The free disk space that is required before anything is downloaded. */
  bytesNeeded?: number;
}

export interface Installation {
  readonly version: string;
  readonly directory: string;
  readonly node: string;
  readonly n8n: string;
}

/** The last completed step. It is saved, so that an interrupted installation resumes there. */
type Reached = 'nothing' | 'resolved' | 'unpacked' | 'complete';

const BYTES_NEEDED = 3.5 * 1024 ** 3;
const LOOK_MS = 1000;
const OTHERS_MS = 15_000;

// No install scripts. n8n needs only that of sqlite3, which runs separately.
const common = [
  '--ignore-scripts',
  '--legacy-peer-deps',
  '--no-audit',
  '--no-fund',
  '--loglevel=http',
  '--global=false',
];
// Fails after about 15 seconds without a network, and survives a short interruption.
const patience = ['--fetch-retries=3', '--fetch-retry-factor=2', '--fetch-retry-mintimeout=1000'];

/** The installation if it is complete, otherwise undefined. */
export async function findInstallation({ cache, version = PINNED_N8N, on = process }: InstallOptions) {
  const directory = installDirectory(cache, version);
  if ((await reachedIn(directory)) !== 'complete') return undefined;
  const files = essentialFiles(directory, on);
  if (!(await areThere(Object.values(files)))) return undefined;
  const installation: Installation = { version, directory, node: files.node ?? process.execPath, n8n: files.n8n };
  return installation;
}

/** Installs n8n unless it is installed already. */
export async function installN8n(options: InstallOptions): Promise<Installation> {
  const found = await findInstallation(options);
  if (found) return found;
  const { cache, version = PINNED_N8N, signal, onProgress } = options;
  const directory = installDirectory(cache, version);
  using _lock = await waitForLock(
    join(cache, 'n8n', `${checkedN8n(version)}.lock`),
    () => onProgress?.({ phase: 'waiting' }),
    signal,
  );
  // The process that held the lock before may have installed it.
  const done = await findInstallation(options);
  if (done) return done;
  await untilOthersEnded(directory);
  await assertSpace(dirname(directory), options.bytesNeeded ?? BYTES_NEEDED);
  await advance(options, directory, version);
  const installed = await findInstallation(options);
  if (installed) return installed;
  throw new AppError(
    'internal',
    `n8n ${version} was installed, but some of its files are missing. Remove ${directory} and try again.`,
  );
}

async function advance(options: InstallOptions, directory: string, version: string): Promise<void> {
  const { env, signal, onProgress, on = process } = options;
  const files = essentialFiles(directory, on);
  const reached = await intactStep(directory, version, on);
  const npm = (args: readonly string[], more: { binaries?: string; headers?: string; onFetch?(): void } = {}) =>
    runNpm({
      args,
      cwd: directory,
      env,
      signal,
      ...more,
      explain: npmProblemOfN8n,
      onStart: (group) => writeJson(join(directory, 'npm.json'), { group }),
    });

  if (reached === 'nothing') {
    await rm(join(directory, 'package-lock.json'), { force: true });
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'package.json'), JSON.stringify(manifestFor(version, on), null, 2));
    let done = 0;
    const lockOnly = ['--package-lock-only', '--package-lock=true', '--omit-lockfile-registry-resolved=false'];
    onProgress?.({ phase: 'resolving', done });
    await npm(['install', ...lockOnly, ...common, ...patience], {
      onFetch() {
        done++;
        onProgress?.({ phase: 'resolving', done });
      },
    });
    await reach(directory, 'resolved');
  }
  if (reached === 'nothing' || reached === 'resolved') {
    const lock = (await readLock(directory, version)) ?? { packages: {} };
    const folders = packageFolders(lock, on).map((path) => join(directory, path, 'package.json'));
    // Removes packages that are only half unpacked. npm's cache still has what was downloaded. Not `npm ci`: it refuses a
    // lock file without the optional packages that the registry does not have.
    await rm(join(directory, 'node_modules'), { recursive: true, force: true });
    await watching(
      () => npm(['install', '--prefer-offline', ...common, ...patience]),
      async () => {
        const done = (await Promise.all(folders.map((path) => areThere([path])))).filter(Boolean).length;
        onProgress?.({ phase: 'unpacking', done, total: folders.length });
      },
    );
    await reach(directory, 'unpacked');
  }
  const began = Date.now();
  const headers = files.node === undefined ? undefined : join(dirname(files.node), '..');
  const hasHeaders = headers !== undefined && (await areThere([join(headers, 'include', 'node', 'node_api.h')]));
  await watching(
    () =>
      npm(
        ['rebuild', 'sqlite3', '--loglevel=warn', '--foreground-scripts', '--ignore-scripts=false', '--global=false'],
        {
          ...(files.node !== undefined && { binaries: dirname(files.node) }),
          ...(hasHeaders && { headers }),
        },
      ),
    async () => onProgress?.({ phase: 'compiling', seconds: Math.round((Date.now() - began) / 1000) }),
  );
  await rm(join(directory, 'npm.json'), { force: true });
  await reach(directory, 'complete');
}

/** The last completed step whose files are still intact. */
async function intactStep(directory: string, version: string, on: Platform): Promise<Exclude<Reached, 'complete'>> {
  const reached = await reachedIn(directory);
  if (reached === 'nothing' || !(await readLock(directory, version))) return 'nothing';
  const manifest = await readJson(join(directory, 'package.json'));
  if (!isDeepStrictEqual(manifest, manifestFor(version, on))) return 'nothing';
  if (reached === 'resolved') return 'resolved';
  const { n8n, node = n8n } = essentialFiles(directory, on);
  const unpacked = await areThere([n8n, node]);
  // If it was complete and n8n itself is still in place, only sqlite3 can be missing.
  return unpacked ? 'unpacked' : 'resolved';
}

async function reachedIn(directory: string): Promise<Reached> {
  const state = (await readJson(join(directory, 'install.json'))) as { reached?: unknown } | undefined;
  const known: readonly Reached[] = ['resolved', 'unpacked', 'complete'];
  return known.find((one) => one === state?.reached) ?? 'nothing';
}

function reach(directory: string, reached: Reached): Promise<void> {
  return writeJson(join(directory, 'install.json'), { reached });
}

/** npm's lock file, if it is valid and for this version. */
async function readLock(directory: string, version: string) {
  const lock = (await readJson(join(directory, 'package-lock.json'))) as
    | { packages?: Record<string, { version?: string; os?: string[]; cpu?: string[] }> }
    | undefined;
  return lock?.packages?.['node_modules/n8n']?.version === version ? { packages: lock.packages } : undefined;
}

/** Calls `look` once a second while the work runs. */
async function watching(work: () => Promise<void>, look: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const looks = (async () => {
    while (!ended.signal.aborted) {
      await look();
      await delay(LOOK_MS, undefined, { signal: ended.signal }).catch(() => {});
    }
  })();
  try {
    await work();
  } finally {
    ended.abort();
    await looks;
  }
}

/** If an earlier installer was killed, its npm is being killed too. Until then it may still write here. */
async function untilOthersEnded(directory: string): Promise<void> {
  const { group } = ((await readJson(join(directory, 'npm.json'))) ?? {}) as { group?: unknown };
  if (typeof group !== 'number') return;
  await untilEmpty(group, Date.now() + OTHERS_MS);
}

async function assertSpace(directory: string, needed: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free >= needed) return;
  const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  throw new AppError(
    'unavailable',
    `n8n needs ${gigabytes(needed)} on the disk of ${directory}, but only ${gigabytes(free)} are free. Free some space, or set SLUICE_CACHE to another place.`,
  );
}

async function areThere(files: readonly string[]): Promise<boolean> {
  const checks = await Promise.all(
    files.map((file) =>
      access(file, constants.F_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return checks.every(Boolean);
}
