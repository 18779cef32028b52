/**
 * A real n8n for tests, started by the code that users run.
 *
 * describe.skipIf(n8nIsMissing)('…', () => {
 *   let n8n: TestN8n;
 *   beforeAll(async () => { n8n = await startN8n(); }, N8N_START_MS);
 * });
 *
 * startN8n({ database? })       one for the whole test run, shared by every suite that asks: the first suite waits about
 *                               20 s for it, the others not at all. Use names and tags with your own prefix, and remove
 *                               what you create. `database` is sqlite by default; postgres is a second shared one.
 * startFreshN8n({ database?, env? })  your own, which you may kill: `kill()` kills n8n and it restarts by itself;
 *                               `ready()` waits for that. Dispose of it.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findInstallation } from '../../src/n8n/local/install.ts';
import { awaitLocal, connectLocal, lookAtLocal, stopLocal } from '../../src/n8n/local/local.ts';
import { cacheDirectory } from '../../src/host/home.ts';
import { instancePlaces } from '../../src/n8n/local/places.ts';
import { waitForLock } from '../../src/host/process-lock.ts';
import { createDatabase, type TestDatabase } from './postgres.ts';
import { services } from './services.ts';

const bin = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));

/** How long the first suite may have to wait. */
export const N8N_START_MS = 300_000;

const installed = await findInstallation({
  cache: cacheDirectory(process.env),
  env: {},
});

/** For `describe.skipIf`: why there is none. If everything must run, the first caller installs it. */
export const n8nIsMissing =
  installed || process.env.CI === 'true' ? undefined : 'n8n is not installed: `npm test` does it, or `sluice n8n up`';

export interface TestN8n extends AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
  readonly owner: { readonly email: string; readonly password: string };
  /** The file in which a gateway writes where n8n's hooks are to post. */
  readonly hookTarget: string;
}

export interface FreshN8n extends TestN8n {
  /** Kills n8n like a crash; it restarts after a second. */
  kill(): Promise<void>;
  /** Settles when it accepts requests (again). */
  ready(): Promise<void>;
}

export type Database = 'sqlite' | 'postgres';

export async function startN8n({ database = 'sqlite' }: { database?: Database } = {}): Promise<TestN8n> {
  const { directory } = services();
  {
    using _turn = await waitForLock(join(directory, `n8n-${database}.lock`), () => {});
    if (!(await lookAtLocal(instancePlaces(directory, database)))) {
      // It is removed with the whole server, at the end of the run.
      const own = database === 'postgres' ? await createDatabase() : undefined;
      await bringUp(directory, database, own, {});
    }
  }
  const { url, apiKey, login } = await awaitLocal(instancePlaces(directory, database));
  const hookTarget = join(instancePlaces(directory, database).folder, 'hook-target.json');
  return { url, apiKey, owner: login, hookTarget, async [Symbol.asyncDispose]() {} };
}

export async function startFreshN8n({
  database = 'sqlite',
  env = {},
}: {
  database?: Database;
  env?: Record<string, string>;
} = {}): Promise<FreshN8n> {
  await using stack = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'sluice-n8n-'));
  stack.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const own = database === 'postgres' ? stack.use(await createDatabase()) : undefined;
  const places = instancePlaces(home, database);
  stack.defer(async () => void (await stopLocal(places)));
  await bringUp(home, database, own, env);
  const { url, apiKey, login } = await connectLocal(home, database);
  const owned = stack.move();
  return {
    url,
    apiKey,
    owner: login,
    hookTarget: join(places.folder, 'hook-target.json'),
    async kill() {
      const state = await lookAtLocal(places);
      if (state?.state !== 'ready') throw new Error(`n8n is ${state?.state ?? 'not running'}, not ready.`);
      process.kill(-state.n8nPid, 'SIGKILL');
      // Until the crash is noticed, the state still reads `ready`.
      while ((await lookAtLocal(places))?.since === state.since) await new Promise((done) => setTimeout(done, 20));
    },
    ready: async () => void (await awaitLocal(places)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function bringUp(
  home: string,
  name: Database,
  database: TestDatabase | undefined,
  env: Record<string, string>,
): Promise<void> {
  await mkdir(home, { recursive: true });
  const file = join(home, `${name}-sluice.json`);
  await writeFile(file, JSON.stringify({ n8n: { [name]: { local: { database: name, env } } } }));
  const args = [
    'n8n',
    'up',
    '--name',
    name,
    '--port',
    '0',
    '--config',
    file,
    '--until-gone',
    String(services().runner),
  ];
  await promisify(execFile)(process.execPath, [bin, ...args], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SLUICE_HOME: home,
      SLUICE_CACHE: cacheDirectory(process.env),
      ...(database && {
        DB_POSTGRESDB_HOST: database.host,
        DB_POSTGRESDB_PORT: String(database.port),
        DB_POSTGRESDB_DATABASE: database.database,
        DB_POSTGRESDB_USER: database.user,
        DB_POSTGRESDB_PASSWORD: database.password,
      }),
    },
  });
}
