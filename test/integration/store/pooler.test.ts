import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { postgresBackend } from '../../../src/blueprints/engine/backends.ts';
import { type PostgresAddress, readAddress } from '../../../src/store/postgres/address.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { isMissing, startDaemon } from '../../support/daemon.ts';
import { freePort } from '../../support/free-port.ts';
import { createDatabase, postgresIsMissing, type TestDatabase, userNamed } from '../../support/postgres.ts';
import { openReplica, openTestDatabase } from '../../support/shared.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';

describe.skipIf(postgresIsMissing ?? isMissing(PGBOUNCER))('behind pgbouncer', () => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await createDatabase();
    await using _ = await openTestDatabase(place.url, 1);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  async function pgbouncer(mode: 'session' | 'transaction') {
    const port = await freePort();
    const settings = `[databases]
* = host=${place.host} port=${place.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = users.txt
pool_mode = ${mode}
`;
    const daemon = await startDaemon({
      program: PGBOUNCER,
      port,
      files: { 'pgbouncer.ini': settings, 'users.txt': `"${place.user}" "${place.password}"\n` },
      ...(process.getuid?.() === 0 && { as: userNamed('postgres') }),
      args: (folder) => ['-q', `${folder}/pgbouncer.ini`],
    });
    return { daemon, url: place.url.replace(`:${place.port}/`, `:${port}/`) };
  }

  const placeAt = (url: string) => ({
    home: tmpdir(),
    version: '1.0.0',
    env: { SLUICE_SECRET_KEY: 'x'.repeat(32) },
    settings: { kind: 'postgres', url, connections: 4 } as const,
  });

  test('a pooler in transaction mode is named, with the remedy', async () => {
    const { daemon, url } = await pgbouncer('transaction');
    await using _ = daemon;
    await expect(openPostgres(placeAt(url))).rejects.toThrow(
      /^The store, PostgreSQL at 127\.0\.0\.1:\d+\/\w+, does not deliver notices \(LISTEN\): .*transaction mode\. Use the address of PostgreSQL itself, or set pool_mode = session in the pooler\.$/,
    );
  });

  test('a pooler in session mode serves', async () => {
    const { daemon, url } = await pgbouncer('session');
    await using _ = daemon;
    await using store = await openPostgres(placeAt(url));
    const a = store.shared;
    await using b = await openReplica(place.url);
    const heard = vi.fn<() => void>();
    a.hear('keys', heard);
    b.tell('keys');
    await expect.poll(() => heard.mock.calls.length).toBeGreaterThan(0);
    expect(await a.count('k', { count: 1, perMs: 60_000 })).toBeUndefined();
    expect(await b.count('k', { count: 1, perMs: 60_000 })).toBeGreaterThan(50);
  });

  test('a pooler in session mode serves runs of blueprints, though it refuses to set the search_path', async () => {
    const { daemon, url } = await pgbouncer('session');
    await using _ = daemon;
    const { backend } = await postgresBackend(readAddress(url) as PostgresAddress, AbortSignal.abort());
    expect(await backend.countWorkflowRuns()).toMatchObject({ pending: 0 });
    await backend.stop();
  });
});
