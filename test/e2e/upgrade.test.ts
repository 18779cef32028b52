/** Homes and databases that earlier versions left behind: this version starts on them, and everything is still there. */
import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { connectV2 } from '../integration/harness.ts';
import { blueprintCalls } from '../support/blueprints.ts';
import { bin } from '../support/command-line.ts';
import { HIDDEN, type Kept, keptConfig, SECRET_KEY, sluiceIn } from '../support/kept-home.ts';
import { createDatabase, postgresIsMissing } from '../support/postgres.ts';
import { type ServeProcess, serve } from '../support/serve-process.ts';

const homes = fileURLToPath(new URL('../fixtures/homes/', import.meta.url));
const PATIENCE = { timeout: 30_000 };
const versions = (await readdir(homes)).sort();
const keptOf = async (from: string) =>
  JSON.parse(await readFile(join(homes, from, 'kept.json'), 'utf8')) as { sqlite: Kept; postgres: Kept };

/** Where a gateway starts: a home, and perhaps a database. */
interface Left extends AsyncDisposable {
  readonly directory: string;
  readonly env: Record<string, string>;
  readonly kept: Kept;
  /** As a newer version would, which has one more step. */
  raise(part: string): Promise<void>;
}

async function leftInSqlite(from: string): Promise<Left> {
  const place = await mkdtempDisposable(join(tmpdir(), 'sluice-upgrade-'));
  const home = join(place.path, 'home');
  await mkdir(home, { mode: 0o700 });
  for (const file of await readdir(join(homes, from, 'home'))) {
    const content = gunzipSync(await readFile(join(homes, from, 'home', file)));
    await writeFile(join(home, file.replace(/\.gz$/, '')), content, { mode: 0o600 });
  }
  return {
    directory: place.path,
    env: {},
    kept: (await keptOf(from)).sqlite,
    async raise(part) {
      using db = new DatabaseSync(join(home, 'sluice.db'));
      if (part === 'store') db.exec('PRAGMA user_version = 99');
      else expect(db.prepare('UPDATE part_versions SET version = 99 WHERE part = ?').run(part).changes).toBe(1);
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

async function leftInPostgres(from: string): Promise<Left> {
  const place = await mkdtempDisposable(join(tmpdir(), 'sluice-upgrade-'));
  const database = await createDatabase();
  const sql = async (text: string, values?: unknown[]) => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(text, values);
    await client.end();
  };
  await sql(await readFile(join(homes, from, 'postgres.sql'), 'utf8'));
  return {
    directory: place.path,
    env: { SLUICE_STORE: database.url, SLUICE_SECRET_KEY: SECRET_KEY },
    kept: (await keptOf(from)).postgres,
    raise: (part) => sql('UPDATE sluice.part_versions SET version = 99 WHERE part = $1', [part]),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

async function expectEverything(gateway: ServeProcess, { kept, env }: Left): Promise<void> {
  const sluice = sluiceIn(gateway.home, bin, env);
  await gateway.ready();
  await expect
    .poll(async () => JSON.parse(await sluice('status', '--json')) as unknown, PATIENCE)
    .toMatchObject({ version, problems: [], backends: [{ name: 'added', state: 'RUNNING' }] });
  expect(await sluice('keys', 'list')).toMatch(/^\S+ +kept .*\n\S+ +revoked .*revoked/m);
  await expect(connectV2(gateway, { headers: { authorization: `Bearer ${kept.revoked}` } })).rejects.toThrow(/revoked/);

  await using calls = await blueprintCalls(gateway, { authorization: `Bearer ${kept.key}` });
  const { events } = await calls.call<{ events: object[] }>('get_events', { trace_id: kept.trace });
  expect(events).toContainEqual(expect.objectContaining({ event_type: 'tool.call_completed', trace_id: kept.trace }));
  expect(await calls.call('added__measure')).toEqual({ length: HIDDEN.length });
  const search = { query: 'how long does boiling water take', namespace: 'kept' };
  expect(await calls.call('memory_search', search)).toMatchObject({
    results: [{ text: 'The kettle in the kitchen boils in four minutes.' }],
  });
  expect(await calls.call('graph_search', { query: 'Ada' })).toMatchObject({ entities: [{ name: 'Ada' }] });
  expect(await calls.call('project_show', { name: 'kept' })).toMatchObject({ name: 'kept' });

  expect(await calls.call('blueprint_status', { run: kept.run })).toMatchObject({ state: 'waiting' });
  await sluice('blueprint', 'approve', kept.run, 'go');
  await expect
    .poll(() => calls.call('blueprint_status', { run: kept.run }), PATIENCE)
    .toMatchObject({ state: 'succeeded', outputs: { before: HIDDEN.length, after: HIDDEN.length } });
}

describe.each([
  ['SQLite', leftInSqlite, undefined],
  ['PostgreSQL', leftInPostgres, postgresIsMissing],
] as const)('%s', (_, leftBy, isMissing) => {
  test.skipIf(isMissing).each(versions)('of version %s goes on', async (from) => {
    await using left = await leftBy(from);
    await using gateway = await serve(left.directory, keptConfig, { env: left.env });
    await expectEverything(gateway, left);
    expect(await gateway.end('SIGTERM')).toBe(0);
    // A second start has nothing left to migrate, and finds the finished run.
    await using again = await serve(left.directory, keptConfig, { env: left.env });
    await using calls = await blueprintCalls(again, { authorization: `Bearer ${left.kept.key}` });
    expect(await calls.call('blueprint_status', { run: left.kept.run })).toMatchObject({ state: 'succeeded' });
  });

  test.skipIf(isMissing).each(['store', 'blueprints'])('of a newer version is refused: %s', async (part) => {
    await using left = await leftBy(versions.at(-1) as string);
    await left.raise(part);
    const start = async () => {
      await using _gateway = await serve(left.directory, keptConfig, { env: left.env });
    };
    await expect(start()).rejects.toThrow(/ended with code 1 .*by a newer Sluice.*Start that version or a newer one/s);
  });
});
