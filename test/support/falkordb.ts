/**
 * A FalkorDB for tests, from an npm package that carries it, kept for the next run. FalkorDB is a module of Redis 7.2 or
 * newer. The package's own Redis needs a newer C library than Debian 12 has; there, Valkey from Debian's backports runs
 * it.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type RedisClientType } from '@redis/client';
import { cacheDirectory } from '../../src/host/home.ts';
import { downloadPackages, unpack } from './debian-packages.ts';

const PACKAGE = '@falkordblite/linux-x64';
const VERSION = '8.2.3-falkordb.4.16.3';
const START_MS = 20_000;

const folder = join(cacheDirectory(process.env), 'test', `falkordb-${VERSION}`);

/** Where things are in a folder with an installation. */
const placesIn = (root: string) => ({
  bin: join(root, 'node_modules', PACKAGE, 'bin'),
  module: join(root, 'node_modules', PACKAGE, 'bin', 'falkordb.so'),
  valkey: join(root, 'valkey', 'usr', 'bin', 'valkey-server'),
});

const runs = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** The server that FalkorDB runs in. */
function programIn(root: string): string | undefined {
  const { bin, valkey } = placesIn(root);
  return [join(bin, 'redis-server'), valkey].find((one) => existsSync(one) && runs(one));
}

/** For `describe.skipIf`: installs it if it is not there; why there is none. Under CI a missing one is a failure. */
export function falkorIsMissing(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'FalkorDB is packaged for Linux on x64 only';
  if (existsSync(folder)) return undefined;
  // Several suites may install it at once. The first one is kept.
  const own = `${folder}-${process.pid}-${Date.now()}`;
  try {
    install(own);
    renameSync(own, folder);
    return undefined;
  } catch (error) {
    if (existsSync(folder)) return undefined;
    if (process.env.CI === 'true') throw error;
    return `${PACKAGE} could not be installed: ${(error as Error).message.split('\n')[0]}`;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function install(root: string): void {
  mkdirSync(root, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', root];
  execFileSync('npm', ['install', ...options, `${PACKAGE}@${VERSION}`], { cwd: root, stdio: 'pipe' });
  const { bin } = placesIn(root);
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
  if (programIn(root) === undefined) installValkey(root);
  if (programIn(root) === undefined) throw new Error('No Redis that can load FalkorDB runs here.');
}

function installValkey(root: string): void {
  const archives = downloadPackages(root, ['valkey-tools'], (codename) => `${codename}-backports`);
  unpack(archives, join(root, 'valkey'));
  for (const archive of archives) rmSync(archive);
  // One program with several names; its package brings the others as links.
  symlinkSync('valkey-check-rdb', placesIn(root).valkey);
}

export interface Falkor extends AsyncDisposable {
  readonly client: RedisClientType;
}

/** A server of its own, on a socket in a folder of its own. */
export async function startFalkor(): Promise<Falkor> {
  const server = programIn(folder);
  if (server === undefined) throw new Error('FalkorDB is not installed: ask falkorIsMissing first.');
  const data = await mkdtemp(join(tmpdir(), 'sluice-falkor-'));
  const path = join(data, 'socket');
  const args = [
    '--port',
    '0',
    '--unixsocket',
    path,
    '--dir',
    data,
    '--save',
    '',
    '--loadmodule',
    placesIn(folder).module,
  ];
  // A shell beside it stops it when this process ends, however it ends: then the pipe is closed.
  const script = '"$@" & server=$!; read -r _; kill -9 $server; wait';
  const child = spawn('/bin/sh', ['-c', script, 'sh', server, ...args], {
    cwd: data,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exited = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    await exited;
    await rm(data, { recursive: true, force: true });
  };
  for (const end = Date.now() + START_MS; !existsSync(path); await delay(20))
    if (Date.now() > end) {
      await stop();
      throw new Error(`FalkorDB did not start:\n${said}`);
    }
  const client: RedisClientType = createClient({ socket: { path, tls: false } });
  client.on('error', () => {});
  await client.connect();
  return {
    client,
    async [Symbol.asyncDispose]() {
      client.destroy();
      await stop();
    },
  };
}
