/** `npm test`: brings up what the tests need, runs them all, and ends with a line that counts them. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showProgress } from '../src/cli/n8n-progress.ts';
import { createTerminal } from '../src/cli/terminal.ts';
import { messageOf } from '../src/kernel/errors.ts';
import { installN8n } from '../src/n8n/local/install.ts';
import { cacheDirectory, PINNED_VERSION } from '../src/n8n/local/places.ts';
import { watchdog } from '../src/wire/watchdog.ts';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numFailedTestSuites: number;
}

/** Debian packages that tests use, and the program that shows they are there. */
const packages: Record<string, string> = {
  chromium: '/usr/bin/chromium',
  prometheus: '/usr/bin/prometheus',
  postgresql: '/usr/lib/postgresql',
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
  await run('apt-get', [...quiet, 'install', '-y', '--no-install-recommends', ...missing]);
}

/** A real n8n, kept for the next run: minutes the first time. */
async function prepareN8n(): Promise<void> {
  const show = showProgress(createTerminal(process.env), PINNED_VERSION);
  try {
    await installN8n({ cache: cacheDirectory(process.env), env: process.env, guard: watchdog, onProgress: show });
  } catch (error) {
    console.log(
      `n8n could not be installed, ${process.env.CI === 'true' ? 'and its tests will fail' : 'so its tests are skipped'}. ${messageOf(error)}`,
    );
  }
}

/** What is known of its nodes: here once, and not by every suite that begins at the same time. */
async function prepareCatalogue(): Promise<void> {
  const { catalogueIsMissing, testCatalogueFile } = await import('./catalogue.ts');
  if (catalogueIsMissing !== undefined) return;
  try {
    testCatalogueFile();
  } catch (error) {
    console.log(`The node catalogue could not be built, and its tests will fail. ${messageOf(error)}`);
  }
}

await installPackages();
await prepareN8n();
await prepareCatalogue();
const directory = await mkdtemp(join(tmpdir(), 'sluice-test-'));
const file = join(directory, 'report.json');
try {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run('vitest', ['run', ...reporters, ...process.argv.slice(2)]);
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  const failed = report.numFailedTests + (report.numFailedTests === 0 && code !== 0 ? 1 : 0);
  const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : '';
  console.log(`${report.numPassedTests} passed, ${failed} failed${skipped}`);
  process.exitCode = code;
} finally {
  await rm(directory, { recursive: true, force: true });
}
