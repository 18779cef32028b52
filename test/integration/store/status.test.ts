import { migrationsOf } from '../../../src/host/runtime.ts';
import { parts } from '../../../src/parts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresAddress, readAddress } from '../../../src/store/postgres/address.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/connection.ts';
import { createPlace, type Place } from '../../support/command-line.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { fill } from './embedded.ts';

const SECRET = 'the one that all replicas have, 0123456789';

describe('sluice store status with the embedded store', () => {
  it('shows the file, its schema and its rows, and what else is on this machine', async () => {
    await using place = await createPlace();
    const empty = await place.run(['store']);
    expect(empty.stdout).toContain('no Sluice has used it yet');
    await fill(place.home, 5, migrationsOf(parts));
    mkdirSync(join(place.home, 'backups'));
    const { code, stdout } = await place.run(['store', 'status']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^store +SQLite 3\.\d+\.\d+, .*sluice\.db$/m);
    expect(stdout).toMatch(/^key +sluice\.key in the data directory$/m);
    expect(stdout).toMatch(/^events +5$/m);
    expect(stdout).toMatch(/backups +backups of workflows/);
  });
});

describe.skipIf(postgresIsMissing)('sluice store status with PostgreSQL', () => {
  let target: TestDatabase;
  let place: Place;
  let database: Database;
  beforeAll(async () => {
    target = await createDatabase();
    place = await createPlace({
      store: { url: target.url, connections: 4 },
      mcpServers: { broken: { url: '${NOBODY_SET_THIS}' } },
    });
    database = openDatabase(readAddress(target.url) as PostgresAddress, 2, 'sluice test');
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await place?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
  });
  const status = async (env: Record<string, string> = {}) => {
    const { stdout } = await place.run(['store', 'status', '--json'], { env });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it('leaves a new database alone', async () => {
    const seen = await status();
    expect(seen).toMatchObject({ engine: 'postgres', where: `127.0.0.1:${target.port}/${target.database}`, budget: 4 });
    expect(seen.store).toBeUndefined();
    expect(await database.once("SELECT 1 FROM pg_namespace WHERE nspname = 'sluice'")).toEqual([]);
  });

  it('shows rows, key, replicas and leases, and no password', async () => {
    await fill(place.home, 5, migrationsOf(parts));
    expect((await place.run(['store', 'migrate'], { env: { SLUICE_SECRET_KEY: SECRET } })).code).toBe(0);
    await database.script(
      `INSERT INTO replicas (id, url, host, pid, version) VALUES ('r1', 'http://10.0.0.1:3500', 'one', 7, '1.0.0');
       INSERT INTO replicas (id, host, pid, version, seen_at, draining)
         VALUES ('r2', 'two', 8, '1.0.0', now() - interval '1 hour', true);
       INSERT INTO leases (task, replica, until) VALUES ('retention', 'r1', now() + interval '1 hour')`,
    );
    const seen = await status({ SLUICE_SECRET_KEY: SECRET });
    expect(seen).toMatchObject({
      engine: 'postgres',
      version: expect.stringMatching(/^\d+\.\d+/) as string,
      connections: { limit: 200 },
      store: {
        schema: { store: 1 },
        rows: { events: 5, servers: 1, keys: 3 },
        key: { from: 'SLUICE_SECRET_KEY', state: 'right' },
        copy: { source: expect.stringContaining('sluice.db') as string },
        replicas: [{ id: 'r1' }, { id: 'r2', draining: true }],
        leases: [{ task: 'retention', replica: 'r1' }],
      },
    });
    const { stdout } = await place.run(['store'], { env: { SLUICE_SECRET_KEY: SECRET } });
    expect(stdout).toMatch(/^key +SLUICE_SECRET_KEY opens the store$/m);
    expect(stdout).toMatch(/^r1 +one +7 +1\.0\.0 +alive .*http:\/\/10\.0\.0\.1:3500 +retention$/m);
    expect(stdout).toMatch(/^r2 +two .* gone /m);
    expect(stdout).toContain('an embedded store that is not used');
    expect(stdout + JSON.stringify(seen)).not.toContain(target.password);
    expect(stdout).not.toContain(SECRET);
  });

  it('says if this machine has not the key', async () => {
    expect(await status()).toMatchObject({ store: { key: { from: 'sluice.key', state: 'wrong' } } });
    const short = await place.run(['store'], { env: { SLUICE_SECRET_KEY: 'short' } });
    expect(short.code).toBe(1);
    expect(short.stderr).toContain('openssl rand -hex 32');
  });
});
