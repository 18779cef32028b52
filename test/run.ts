/** `npm test`: sets up what the tests need, runs them all, and ends with a line that counts them. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { showProgress } from '../src/n8n/local/progress.ts';
import { createTerminal } from '../src/host/terminal.ts';
import { messageOf } from '../src/kernel/errors.ts';
import { installN8n } from '../src/n8n/local/install.ts';
import { cacheDirectory } from '../src/host/home.ts';
import { PINNED_N8N } from '../src/nodes/which-n8n.ts';
import { filesToRepeat, type Report, type Run, verdictOf } from './verdict.ts';

/** Debian packages that tests use, and the program that shows that each is installed. */
const packages: Record<string, string> = {
  chromium: '/usr/bin/chromium',
  prometheus: '/usr/bin/prometheus',
  postgresql: '/usr/lib/postgresql',
  'postgresql-15-hypopg': '/usr/lib/postgresql/15/lib/hypopg.so',
  pgbouncer: '/usr/sbin/pgbouncer',
  'redis-server': '/usr/bin/redis-server',
  haproxy: '/usr/sbin/haproxy',
  'nginx-light': '/usr/sbin/nginx',
  'rabbitmq-server': '/usr/sbin/rabbitmq-server',
  // A renderer of Helm charts is compiled from these.
  'golang-go': '/usr/bin/go',
  'golang-github-masterminds-sprig-dev': '/usr/share/gocode/src/github.com/Masterminds/sprig',
  'golang-k8s-sigs-yaml-dev': '/usr/share/gocode/src/sigs.k8s.io/yaml',
  'kubernetes-client': '/usr/bin/kubectl',
  podman: '/usr/bin/podman',
  runc: '/usr/sbin/runc',
  debootstrap: '/usr/sbin/debootstrap',
  // /bin/busybox may also be of the package busybox, which needs a C library.
  'busybox-static': '/usr/share/doc/busybox-static',
  systemd: '/usr/bin/systemd-analyze',
};

function run(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { stdio: 'inherit' });
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(1));
  });
}

async function installPackages(): Promise<void> {
  const missing = Object.keys(packages).filter((name) => !existsSync(packages[name] as string));
  if (missing.length === 0) return;
  const root = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!root) {
    console.log(`Not installed, and only root may install: ${missing.join(', ')}. Tests that need them are skipped.`);
    return;
  }
  console.log(`Installing ${missing.join(', ')} …`);
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0'];
  await run('apt-get', [...quiet, 'update']);
  const install = (names: readonly string[]) =>
    run('apt-get', [...quiet, 'install', '-y', '--no-install-recommends', ...names]);
  // One that this release does not have must not keep the others out.
  if ((await install(missing)) !== 0) for (const name of missing) await install([name]);
}

/** Installs a real n8n and keeps it for the next run: minutes the first time. */
async function prepareN8n(): Promise<void> {
  const show = showProgress(createTerminal(process.env), PINNED_N8N);
  try {
    await installN8n({ cache: cacheDirectory(process.env), env: process.env, onProgress: show });
  } catch (error) {
    console.log(
      `n8n could not be installed, ${process.env.CI === 'true' ? 'and its tests will fail' : 'so its tests are skipped'}. ${messageOf(error)}`,
    );
  }
}

/** Builds the node catalogue once, instead of in every suite that starts at the same time. */
async function prepareCatalogue(): Promise<void> {
  const { catalogueIsMissing, testCatalogueFile } = await import('./support/catalogue.ts');
  if (catalogueIsMissing !== undefined) return;
  try {
    testCatalogueFile();
  } catch (error) {
    console.log(`The node catalogue could not be built, and its tests will fail. ${messageOf(error)}`);
  }
}

/** Installs the runtime for models in directories: seconds, the first time. */
async function prepareModelRuntime(): Promise<void> {
  const { needRuntime } = await import('./support/model-runtime.ts');
  try {
    await needRuntime();
  } catch (error) {
    console.log(
      `The runtime for models could not be installed, ${process.env.CI === 'true' ? 'and its tests will fail' : 'so its tests are skipped'}. ${messageOf(error)}`,
    );
  }
}

/** Downloads PostgreSQL with pgvector, which Debian 12 does not have: seconds, the first time. */
async function preparePgvector(): Promise<void> {
  const { needPgvector } = await import('./support/pgvector.ts');
  try {
    needPgvector();
  } catch (error) {
    console.log(
      `pgvector could not be downloaded, ${process.env.CI === 'true' ? 'and its tests will fail' : 'so its tests are skipped'}. ${messageOf(error)}`,
    );
  }
}

/** Downloads Docker Compose, and makes the base of the image: a minute, the first time. */
async function prepareImage(): Promise<void> {
  const { composeIsMissing } = await import('./support/image/compose.ts');
  const { openWorkshop, workshopIsMissing } = await import('./support/image/workshop.ts');
  if (workshopIsMissing !== undefined || composeIsMissing() !== undefined) return;
  try {
    await (await import('./support/image/base.ts')).needBase(await openWorkshop());
  } catch (error) {
    console.log(`The base of the image could not be made, and its tests will fail. ${messageOf(error)}`);
  }
}

/** Downloads GitHub's description of its API, which its stand-in is held against: seconds, the first time. */
async function prepareGithub(): Promise<void> {
  const { needDescription } = await import('./support/github/description.ts');
  try {
    needDescription();
  } catch (error) {
    console.log(
      `GitHub's description could not be downloaded, ${process.env.CI === 'true' ? 'and its tests will fail' : 'so its tests are skipped'}. ${messageOf(error)}`,
    );
  }
}

await installPackages();
await prepareN8n();
await prepareModelRuntime();
await preparePgvector();
await prepareImage();
await prepareGithub();
await prepareCatalogue();
const directory = await mkdtemp(join(tmpdir(), 'sluice-test-'));

async function vitest(name: string, args: readonly string[]): Promise<Run> {
  const file = join(directory, `${name}.json`);
  const outside = join(directory, `${name}-outside.json`);
  process.env.SLUICE_OUTSIDE_ERRORS = outside;
  const reporters = ['--reporter=default', '--reporter=json', '--reporter=./test/outside-errors.ts'];
  const code = await run('vitest', ['run', ...reporters, `--outputFile.json=${file}`, ...args]);
  return {
    code,
    report: JSON.parse(await readFile(file, 'utf8')) as Report,
    outside: JSON.parse(await readFile(outside, 'utf8')) as Run['outside'],
  };
}

try {
  const first = await vitest('first', process.argv.slice(2));
  const files = filesToRepeat(first);
  if (files.length > 0) console.log(`Failed, and run once more, one at a time:\n${named(files)}`);
  const again = files.length > 0 ? await vitest('again', ['--no-file-parallelism', ...files]) : undefined;
  const { passed, failed, skipped, flaky, broken } = verdictOf(first, again);
  if (flaky.length > 0) console.log(`Flaky: failed at first and passed alone. Find the race:\n${named(flaky)}`);
  if (broken.length > 0) console.log(`Failed:\n${named(broken)}`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await rm(directory, { recursive: true, force: true });
}

function named(files: readonly string[]): string {
  return files.map((file) => `  ${relative(process.cwd(), file)}`).join('\n');
}
