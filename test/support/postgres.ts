/**
 * A PostgreSQL for tests, from Debian's packages: one server per test run, with its own port and folder, and a
 * database for each suite that asks. It ends with the run, however the run ends.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { waitForLock } from '../../src/host/process-lock.ts';
import { freePort } from './free-port.ts';
import { services } from './services.ts';

const PACKAGES = '/usr/lib/postgresql';
const START_MS = 60_000;

/** For `describe.skipIf`: why there is none. If everything must run, a missing PostgreSQL is a failure, not skipped. */
export const postgresIsMissing =
  existsSync(PACKAGES) || process.env.CI === 'true' ? undefined : 'PostgreSQL is not installed';

export interface TestDatabase extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly url: string;
}

interface Server {
  readonly port: number;
  readonly password: string;
}

/** A new, empty database. */
export async function createDatabase(): Promise<TestDatabase> {
  const { port, password } = await sharedServer();
  const database = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await sql(port, password, `CREATE DATABASE ${database}`);
  const host = '127.0.0.1';
  return {
    host,
    port,
    database,
    user: 'postgres',
    password,
    url: `postgres://postgres:${password}@${host}:${port}/${database}`,
    async [Symbol.asyncDispose]() {
      await sql(port, password, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    },
  };
}

async function sharedServer(): Promise<Server> {
  const { directory, runner } = services();
  const file = join(directory, 'postgres.json');
  using _turn = await waitForLock(join(directory, 'postgres.lock'), () => {});
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Server;
  const server = await startServer(runner);
  await writeFile(file, JSON.stringify(server), { mode: 0o600 });
  return server;
}

async function startServer(runner: number): Promise<Server> {
  const [newest] = readdirSync(PACKAGES).sort((a, b) => Number(b) - Number(a));
  const bin = (name: string) => join(PACKAGES, newest ?? '', 'bin', name);
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? userNamed('postgres') : undefined;
  const as = user ? { uid: user.uid, gid: user.gid } : {};
  const folder = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  const data = join(folder, 'data');
  const password = Math.random().toString(36).slice(2);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  const init = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--no-sync',
  ];
  await promisify(execFile)(bin('initdb'), [...init, '--locale=C.UTF-8'], { ...as, cwd: folder });
  await rm(passwordFile);
  const port = await freePort();
  // A shell beside it stops it with the run and removes its files.
  const script = `
    "$1" -D "$2" -p "$3" -h 127.0.0.1 -k "$2" -F -c max_connections=200 >"$4/log" 2>&1 & server=$!
    while [ -d "/proc/$5" ] && kill -0 $server 2>/dev/null && [ ! -e "$4/stop" ]; do sleep 0.5; done
    kill -INT $server 2>/dev/null; wait; rm -rf "$4"/*; rmdir "$4"`;
  const args = [bin('postgres'), data, String(port), folder, String(runner)];
  const shell = spawn('/bin/sh', ['-c', script, 'sh', ...args], { ...as, cwd: '/', detached: true, stdio: 'ignore' });
  shell.unref();
  for (const end = Date.now() + START_MS; ; await delay(100)) {
    const ready = await promisify(execFile)(bin('pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    );
    if (ready) return { port, password };
    if (Date.now() > end) throw new Error(`PostgreSQL did not start:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
  }
}

async function sql(port: number, password: string, statement: string): Promise<void> {
  const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-q', '-c', statement];
  await promisify(execFile)('psql', args, { env: { PATH: process.env.PATH, PGPASSWORD: password } });
}

export function userNamed(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  if (line === undefined) throw new Error(`There is no user ${name} to run PostgreSQL as.`);
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
