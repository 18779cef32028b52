/**
 * A PostgreSQL for tests, from Debian's packages: one server per test run, with its own port and folder, and a
 * database for each suite that asks. It ends with the run, however the run ends. SLUICE_TEST_POSTGRES names another
 * server to use instead, as a user who may create databases and roles.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { waitForLock } from '../../src/host/process-lock.ts';
import { freePort } from './free-port.ts';
import { services } from './services.ts';

const PACKAGES = '/usr/lib/postgresql';
const START_MS = 60_000;

/** For `describe.skipIf`: why there is none. If everything must run, a missing PostgreSQL is a failure, not skipped. */
export const postgresIsMissing =
  process.env.SLUICE_TEST_POSTGRES || existsSync(PACKAGES) || process.env.CI === 'true'
    ? undefined
    : 'PostgreSQL is not installed';

export interface TestDatabase extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly url: string;
}

/** Where a server is, and who may do everything there. */
export interface Server {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A new, empty database. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = otherServer() ?? (await sharedServer());
  const database = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await sql(server, `CREATE DATABASE ${database}`);
  return {
    ...server,
    database,
    url: urlOf(server, database),
    async [Symbol.asyncDispose]() {
      await sql(server, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    },
  };
}

export const urlOf = ({ host, port, user, password }: Server, database: string): string =>
  `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}/${database}`;

function otherServer(): Server | undefined {
  if (!process.env.SLUICE_TEST_POSTGRES) return undefined;
  const { hostname, port, username, password } = new URL(process.env.SLUICE_TEST_POSTGRES);
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
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
  const { folder, data, password } = await initialize();
  const port = await freePort();
  // A shell beside it stops it with the run and removes its files.
  const script = `
    "$1" -D "$2" -p "$3" -h 127.0.0.1 -k "$2" -F -c max_connections=200 >"$4/log" 2>&1 & server=$!
    while [ -d "/proc/$5" ] && kill -0 $server 2>/dev/null && [ ! -e "$4/stop" ]; do sleep 0.5; done
    kill -INT $server 2>/dev/null; wait; rm -rf "$4"/*; rmdir "$4"`;
  const args = [join(programs(), 'postgres'), data, String(port), folder, String(runner)];
  const shell = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
    ...account(),
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  });
  shell.unref();
  await untilReady(port, () => readFileSync(join(folder, 'log'), 'utf8'));
  return { host: '127.0.0.1', port, user: 'postgres', password };
}

/** The programs of the newest PostgreSQL here. */
export function programs(): string {
  const [newest] = readdirSync(PACKAGES).sort((a, b) => Number(b) - Number(a));
  return join(PACKAGES, newest ?? '', 'bin');
}

/** PostgreSQL refuses to run as root. */
export function account(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? userNamed('postgres') : {};
}

/** A folder with the data of a new server. */
export async function initialize(
  bin: string = programs(),
): Promise<{ folder: string; data: string; password: string }> {
  const { uid, gid } = account();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  const data = join(folder, 'data');
  const password = Math.random().toString(36).slice(2);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (uid !== undefined && gid !== undefined) for (const path of [folder, passwordFile]) await chown(path, uid, gid);
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
  await promisify(execFile)(join(bin, 'initdb'), [...init, '--locale=C.UTF-8'], { ...account(), cwd: folder });
  await rm(passwordFile);
  return { folder, data, password };
}

export async function untilReady(port: number, log: () => string): Promise<void> {
  for (const end = Date.now() + START_MS; ; await delay(100)) {
    const ready = await promisify(execFile)(join(programs(), 'pg_isready'), [
      '-q',
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
    ]).then(
      () => true,
      () => false,
    );
    if (ready) return;
    if (Date.now() > end) throw new Error(`PostgreSQL did not start:\n${log()}`);
  }
}

async function sql(server: Server, statement: string): Promise<void> {
  const client = new Client({ connectionString: urlOf(server, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export function userNamed(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  if (line === undefined) throw new Error(`There is no user ${name} to run PostgreSQL as.`);
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
