import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAddress } from '../../../src/store/postgres/address.ts';
import { openDatabase } from '../../../src/store/postgres/connection.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { freePort } from '../../support/free-port.ts';
import { ownPostgres, type OwnPostgres } from '../../support/own-postgres.ts';
import { account, postgresIsMissing, untilReady } from '../../support/postgres.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';
/** Other servers are elsewhere: this suite stops and starts one. */
const skipped = postgresIsMissing || (existsSync('/usr/lib/postgresql') ? undefined : 'PostgreSQL is not installed');

function addressOf(url: string) {
  const address = readAddress(url);
  if ('problem' in address) throw new Error(address.problem);
  return address;
}

describe.skipIf(skipped)('a PostgreSQL server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-server-'));
  const at = (name: string) => join(folder, name);
  const tls = ['ssl=on', `ssl_cert_file=${at('server.pem')}`, `ssl_key_file=${at('server.key')}`];
  let postgres: OwnPostgres;

  const place = (url: string) => ({
    home: folder,
    version: '0',
    env: {},
    settings: { kind: 'postgres' as const, url, connections: 4 },
  });
  const open = (url: string) => openPostgres(place(url));

  beforeAll(async () => {
    certificates();
    postgres = await ownPostgres();
    await postgres.start(...tls);
  });
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** One for the server, which is called localhost, signed by an authority of ours, and another authority. */
  function certificates(): void {
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe', cwd: folder });
    const authority = (name: string) =>
      openssl(
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        `/CN=${name}`,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.pem`,
      );
    authority('ours');
    authority('theirs');
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-keyout',
      'server.key',
      '-out',
      'server.csr',
    );
    writeFileSync(at('names'), 'subjectAltName=DNS:localhost');
    openssl(
      'x509',
      '-req',
      '-in',
      'server.csr',
      '-CA',
      'ours.pem',
      '-CAkey',
      'ours.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      'names',
      '-out',
      'server.pem',
    );
    const { uid, gid } = account();
    if (uid === undefined || gid === undefined) return;
    for (const name of ['.', 'server.key', 'server.pem']) chownSync(at(name), uid, gid);
  }

  test.each([
    ['require', '', '127.0.0.1', undefined],
    ['require', 'ours.pem', '127.0.0.1', undefined],
    ['require', 'theirs.pem', '127.0.0.1', /certificate/],
    ['verify-ca', 'ours.pem', '127.0.0.1', undefined],
    ['verify-ca', 'theirs.pem', '127.0.0.1', /certificate/],
    ['verify-ca', '', '127.0.0.1', /certificate/],
    ['verify-full', 'ours.pem', 'localhost', undefined],
    ['verify-full', 'ours.pem', '127.0.0.1', /does not match|altnames/],
  ])('sslmode=%s with the certificate "%s" at %s', async (mode, root, host, refused) => {
    const url = new URL(postgres.url());
    url.hostname = host;
    url.searchParams.set('sslmode', mode);
    if (root) url.searchParams.set('sslrootcert', at(root));
    await using database = openDatabase(addressOf(url.href), 1, 'test');
    const encrypted = database.rows('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    if (!refused) return expect(await encrypted).toEqual([{ ssl: true }]);
    await expect(encrypted).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(refused) as string,
    });
  });

  test('a server without TLS is not used without it', async () => {
    await postgres.stop();
    await postgres.start();
    await expect(open(`${postgres.url()}?sslmode=require`)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/does not support SSL/) as string,
    });
  });

  test('one that goes away and comes back is used again', async () => {
    await using store = await open(postgres.url());
    await store.settings.put('k', 'before');
    await postgres.stop('immediate');
    const started = performance.now();
    await expect(store.settings.get('k')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/cannot be reached .*Sluice keeps trying/) as string,
    });
    expect(performance.now() - started).toBeLessThan(5000);
    expect(store.trouble()).toMatchObject({ state: 'failing' });
    await postgres.start();
    expect(await store.settings.get('k')).toBe('before');
    await store.settings.put('k', 'after');
    expect(await store.settings.get('k')).toBe('after');
    await expect.poll(() => store.trouble()).toBeUndefined();
  });

  test('one that says nothing any more does not hold anybody up', async () => {
    const times = { connect: 300, statement: 300, lock: 200, silence: 300, closing: 200 };
    await using database = openDatabase(addressOf(postgres.url()), 2, 'test', times);
    const [process] = await database.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const { pid } = process as { pid: number };
    globalThis.process.kill(pid, 'SIGSTOP');
    try {
      await expect(database.change('SELECT 1')).rejects.toMatchObject({ code: 'unavailable' });
      expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      globalThis.process.kill(pid, 'SIGCONT');
    }
    postgres.signal('SIGSTOP');
    try {
      await using other = openDatabase(addressOf(postgres.url()), 1, 'test', times);
      await expect(other.rows('SELECT 1')).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      postgres.signal('SIGCONT');
    }
  });

  test('closing does not wait for a statement that takes long', async () => {
    const store = await open(postgres.url());
    const slow = store.tables.rows('SELECT pg_sleep(20)').catch((error: unknown) => error);
    const started = performance.now();
    await store[Symbol.asyncDispose]();
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await slow).toMatchObject({ code: 'unavailable', message: expect.stringMatching('closed') as string });
  });

  test.skipIf(!existsSync(PGBOUNCER))(
    'a pooler in transaction mode is refused, one in session mode is not',
    async () => {
      const { server } = postgres;
      writeFileSync(at('users.txt'), `"${server.user}" "${server.password}"\n`);
      for (const mode of ['transaction', 'session'] as const) {
        const port = await freePort();
        writeFileSync(
          at('pgbouncer.ini'),
          `[databases]\n* = host=127.0.0.1 port=${server.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
auth_type = plain\nauth_file = ${at('users.txt')}\npool_mode = ${mode}\nunix_socket_dir =\nlogfile = ${at('bouncer.log')}\n`,
        );
        const bouncer = spawn(PGBOUNCER, [at('pgbouncer.ini')], { ...account(), cwd: folder, stdio: 'ignore' });
        const ended = once(bouncer, 'exit');
        try {
          await untilReady(port, () => 'pgbouncer');
          const url = new URL(postgres.url());
          url.port = String(port);
          if (mode === 'transaction')
            await expect(open(url.href)).rejects.toThrow(/pooler.*Use the address of PostgreSQL itself.*session/);
          else {
            await using store = await open(url.href);
            await store.settings.put('k', mode);
            expect(await store.settings.get('k')).toBe(mode);
          }
        } finally {
          bouncer.kill('SIGINT');
          await ended;
        }
      }
    },
  );

  test('a standby is refused, with and without our tables', async () => {
    await postgres.stop();
    writeFileSync(join(postgres.data, 'standby.signal'), '');
    await postgres.start();
    await expect(open(postgres.url())).rejects.toThrow(/it is a standby. Use the address of the primary/);
    await expect(open(postgres.url('template1'))).rejects.toThrow(/it is a standby/);
  });
});
