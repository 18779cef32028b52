import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { messageOf } from '../../../src/kernel/errors.ts';
import { isMissing } from '../../support/daemon.ts';
import { moduleClient, type ModuleClient } from '../../support/module-client.ts';
import { type OwnPostgres, ownPostgres } from '../../support/own-postgres.ts';
import { postgresIsMissing } from '../../support/postgres.ts';

interface Check {
  check: string;
  severity: string;
  summary: string;
  findings?: { severity: string; what: string; fix: string }[];
}

interface Suggestions {
  tested: boolean;
  suggestions: { create: string; tested: boolean; saves_percent?: number; helps: { cost_before?: number }[] }[];
  queries?: { query: number; sql: string }[];
  notes?: string[];
}

const ROWS = 100_000;

const SHOP = `
  CREATE SCHEMA hidden;
  CREATE TABLE customers (id int PRIMARY KEY, email text, city text);
  CREATE TABLE orders (id int PRIMARY KEY, customer int, state text, placed timestamptz, note text, tags jsonb);
  CREATE TABLE "Odd Names" (id int, "Select" int);
  CREATE TABLE hidden.secrets (id int PRIMARY KEY, value text);
  INSERT INTO customers SELECT n, 'c' || n || '@example.com', 'city ' || n % 50 FROM generate_series(1, 10000) n;
  INSERT INTO orders SELECT n, n % 10000, CASE n % 4 WHEN 0 THEN 'open' ELSE 'done' END,
    '2026-01-01'::timestamptz + n * interval '1 minute', md5(n::text), '{}' FROM generate_series(1, ${ROWS}) n;
  INSERT INTO hidden.secrets SELECT n, repeat('s', 200) FROM generate_series(1, 60000) n;
  INSERT INTO "Odd Names" SELECT n, n FROM generate_series(1, 20000) n;
  CREATE TABLE waste (id int, filler text);
  INSERT INTO waste SELECT n, repeat('w', 200) FROM generate_series(1, ${ROWS}) n;
  DELETE FROM waste WHERE id % 10 <> 0;
  CREATE INDEX orders_note ON orders (note);
  CREATE INDEX customers_email ON customers (email);
  CREATE INDEX customers_email_again ON customers (email);
  CREATE INDEX customers_email_city ON customers (email, city);
  CREATE INDEX hidden_value ON hidden.secrets (value);
  CREATE TABLE numbered (id serial PRIMARY KEY);
  SELECT setval('numbered_id_seq', 2000000000);
  ALTER TABLE customers ADD CONSTRAINT has_city CHECK (city <> '') NOT VALID;
  ANALYZE`;

const plain = { url: '', password: 'plain-password' };

describe.skipIf(postgresIsMissing ?? isMissing('/usr/lib/postgresql/15/lib/hypopg.so'))(
  'the health of a PostgreSQL',
  () => {
    const owned = new AsyncDisposableStack();
    let server: OwnPostgres;
    let admin: Client;
    let client: ModuleClient;

    async function session(url: string, application: string): Promise<Client> {
      const one = new Client({ connectionString: url, application_name: application });
      one.on('error', () => {});
      await one.connect();
      owned.defer(() => one.end());
      return one;
    }

    beforeAll(async () => {
      server = owned.use(await ownPostgres());
      await server.start('shared_preload_libraries=pg_stat_statements', 'autovacuum_naptime=2147483', 'work_mem=7MB');
      const root = await session(server.url(), 'tests');
      await root.query('CREATE DATABASE shop');
      await root.query('CREATE DATABASE bare');
      await root.query(`CREATE ROLE plain LOGIN PASSWORD '${plain.password}'`);
      admin = await session(server.url('shop'), 'tests');
      await admin.query(SHOP);
      await admin.query('VACUUM waste');
      await admin.query('GRANT SELECT ON customers TO plain');
      await admin.query('CREATE EXTENSION hypopg; CREATE EXTENSION pg_stat_statements');
      plain.url = server.url('shop').replace(/\/\/.*@/, `//plain:${plain.password}@`);
      client = owned.use(
        await moduleClient({
          postgres: { url: server.url('shop'), schemas: ['public'], mode: 'read-write' },
          'postgres-bare': { type: 'postgres', url: server.url('bare') },
          'postgres-plain': { type: 'postgres', url: plain.url, mode: 'read-write' },
        }),
      );
    }, 60_000);

    afterAll(() => owned.disposeAsync());

    const checks = async (names: string[], source = 'postgres') => {
      const { checks: found } = await client.read<{ checks: Check[] }>(source, `${source}_check_health`, {
        checks: names,
      });
      return new Map(found.map((one) => [one.check, one]));
    };

    it('runs every check within one reply', async () => {
      const all = await client.read<{ severity: string; checks: Check[] }>('postgres', 'postgres_check_health');
      expect(all.checks).toHaveLength(13);
      expect(all.severity).toBe('critical');
      expect(all.checks.filter(({ severity }) => severity === 'unknown')).toEqual([]);
      expect(JSON.stringify(all)).not.toMatch(/hidden/);
    });

    it('finds bloat, and knows tables that have none', async () => {
      const bloat = (await checks(['bloat'])).get('bloat');
      expect(bloat?.severity).toBe('warning');
      expect(bloat?.findings?.map(({ what }) => what)).toEqual([
        expect.stringMatching(/^Table public\.waste takes .* \((?:8|9)\d %\)/),
      ]);
      expect(bloat?.findings?.[0]?.fix).toContain('VACUUM FULL public.waste;');
    });

    it('finds unused, duplicate and redundant indexes', async () => {
      const found = await checks(['unused_indexes', 'duplicate_indexes']);
      const unused = found.get('unused_indexes');
      expect(unused?.summary).toContain('wait a week');
      expect(unused?.findings?.map(({ fix }) => fix)).toEqual(['DROP INDEX CONCURRENTLY public.orders_note;']);
      expect(found.get('duplicate_indexes')?.findings?.map(({ what }) => what.replace(/ \(.*?\)/, ''))).toEqual(
        expect.arrayContaining([
          'public.customers_email on customers is redundant: customers_email_city begins with the same columns.',
          'public.customers_email_again on customers is redundant: customers_email_city begins with the same columns.',
        ]),
      );
    });

    it('finds sequences near their end, constraints that are not valid, and a superuser', async () => {
      const found = await checks(['sequences', 'invalid_objects', 'superuser']);
      expect(found.get('sequences')).toMatchObject({
        severity: 'critical',
        findings: [{ fix: expect.stringContaining('ALTER TABLE public.numbered ALTER COLUMN id TYPE bigint') }],
      });
      expect(found.get('invalid_objects')?.findings?.[0]?.fix).toBe(
        'ALTER TABLE public.customers VALIDATE CONSTRAINT has_city;',
      );
      expect(found.get('superuser')?.severity).toBe('warning');
    });

    it('shows who blocks whom, and an idle transaction', async () => {
      const holder = await session(server.url('shop'), 'holder');
      const waiter = await session(server.url('shop'), 'waiter');
      // Open, it would hold up every CREATE INDEX CONCURRENTLY after a failure.
      onTestFinished(async () => void (await holder.query('ROLLBACK')));
      await holder.query('BEGIN');
      await holder.query("UPDATE customers SET city = 'here' WHERE id = 1");
      const waiting = waiter.query("UPDATE customers SET city = 'there' WHERE id = 1");
      const { rows } = await admin.query(`SELECT application_name AS name, pid FROM pg_stat_activity`);
      const pids = new Map(rows.map(({ name, pid }) => [name as string, pid as number]));
      await vi.waitFor(async () => {
        const locks = (await checks(['locks'])).get('locks');
        expect(locks?.severity).toBe('warning');
        expect(locks?.findings?.[0]?.what).toMatch(
          /\(postgres, waiter\) waits for .*blocked by pid \d+ \(postgres, holder\), idle in transaction/,
        );
        expect(locks?.findings?.[0]?.fix).toContain(`pg_terminate_backend(${pids.get('holder')})`);
      }, 10_000);
      expect(await client.read('postgres', 'postgres_list_locks')).toMatchObject({
        total: 1,
        waiting: [{ pid: pids.get('waiter'), blocked_by: [{ pid: pids.get('holder'), state: 'idle in transaction' }] }],
      });
      expect(await client.read('postgres', 'postgres_list_locks', { table: 'customers' })).toMatchObject({
        holders: expect.arrayContaining([
          expect.objectContaining({ application: 'holder', held: ['RowExclusiveLock'] }),
        ]),
      });
      expect(await client.read('postgres', 'postgres_list_activity', { state: 'idle_in_transaction' })).toMatchObject({
        sessions: [
          { pid: pids.get('holder'), application: 'holder', query: "UPDATE customers SET city = 'here' WHERE id = 1" },
        ],
      });
      // A connection of an earlier call may just be ending its transaction.
      await vi.waitFor(async () =>
        expect((await checks(['connections'])).get('connections')?.summary).toContain('1 idle in a transaction'),
      );
      // What is idle cannot be cancelled; what waits can.
      expect(await client.refused('postgres', 'postgres_cancel_query', { pid: pids.get('holder') })).toContain(
        'pg_terminate_backend',
      );
      const failed = waiting.catch(messageOf);
      expect(await client.call('postgres', 'postgres_cancel_query', { pid: pids.get('waiter') })).toMatchObject({
        cancelled: true,
        query: "UPDATE customers SET city = 'there' WHERE id = 1",
      });
      expect(await failed).toContain('canceling statement due to user request');
      await holder.query('ROLLBACK');
    });

    it('does not wait behind the lock that it looks for', async () => {
      const holder = await session(server.url('shop'), 'holder');
      onTestFinished(async () => void (await holder.query('ROLLBACK')));
      await holder.query('BEGIN; LOCK TABLE orders, waste IN ACCESS EXCLUSIVE MODE');
      const { checks: all } = await client.read<{ checks: Check[] }>('postgres', 'postgres_check_health');
      // The keys of an index can only be read with a lock on its table.
      expect(all.filter(({ severity }) => severity === 'unknown')).toMatchObject([
        { check: 'duplicate_indexes', summary: expect.stringContaining('locked at the moment') },
      ]);
      expect(await client.read('postgres', 'postgres_list_locks', { table: 'orders' })).toMatchObject({
        holders: [{ application: 'holder', held: ['AccessExclusiveLock'] }],
      });
      const refused = (tool: string, params: object) => client.refused('postgres', tool, { ...params });
      expect(await refused('postgres_get_table_stats', { table: 'orders' })).toContain('public.orders is locked');
      expect(await refused('postgres_suggest_indexes', { sql: 'SELECT * FROM orders WHERE customer = 1' })).toContain(
        'lock timeout',
      );
    });

    it('hides statements that touch what is out of reach', async () => {
      const reader = await session(server.url('shop'), 'reader');
      const running = reader.query("SELECT pg_sleep(60), 'word' FROM hidden.secrets");
      const stopped = running.catch(messageOf);
      const own = await session(server.url('shop'), 'sluice-store');
      const storing = own.query("SELECT pg_sleep(60), 'word' FROM customers");
      const storeStopped = storing.catch(messageOf);
      let pids: number[] = [];
      await vi.waitFor(async () => {
        const { rows } = await admin.query(
          "SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()",
        );
        pids = rows.map(({ pid }) => pid as number);
        expect(pids).toHaveLength(2);
      });
      const activity = JSON.stringify(await client.read('postgres', 'postgres_list_activity', { state: 'active' }));
      expect(activity).toContain('(touches a schema that is out of reach)');
      expect(activity).toContain('(Sluice itself)');
      expect(activity).not.toContain('word');
      const { rows } = await admin.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'sluice-store'");
      expect(await client.refused('postgres', 'postgres_cancel_query', { pid: rows[0].pid })).toContain("Sluice's own");
      expect(await client.refused('postgres', 'postgres_cancel_query', { pid: 2_000_000_000 })).toContain(
        'no session with the pid',
      );
      for (const pid of pids) await admin.query('SELECT pg_cancel_backend($1)', [pid]);
      expect(await stopped).toContain('canceling');
      expect(await storeStopped).toContain('canceling');
    });

    it('lists the queries that cost most', async () => {
      for (let n = 0; n < 5; n++) await admin.query('SELECT count(*) FROM orders WHERE customer = $1', [n]);
      await admin.query('SELECT count(*) FROM hidden.secrets');
      await admin.query('SET search_path TO hidden; SELECT count(*) FROM secrets; RESET search_path');
      for (const by of ['total', 'mean', 'calls', 'io']) {
        const { queries, note } = await client.read<{
          queries: { query: string; calls: number; total_ms: number }[];
          note?: string;
        }>('postgres', 'postgres_list_top_queries', { by, limit: 100 });
        expect(JSON.stringify(queries)).not.toMatch(/hidden/);
        expect(note).toContain('out of reach');
        if (by === 'total')
          expect(
            queries.find(({ query }) => query === 'SELECT count(*) FROM orders WHERE customer = $1'),
          ).toMatchObject({ calls: 5 });
      }
    });

    it('proves an index with hypopg', async () => {
      const suggested = await client.read<Suggestions>('postgres', 'postgres_suggest_indexes', {
        sql: "SELECT * FROM orders WHERE customer = 17 AND placed > '2026-02-01' ORDER BY placed",
      });
      expect(suggested.tested).toBe(true);
      const [best] = suggested.suggestions;
      expect(best?.create).toMatch(/^CREATE INDEX CONCURRENTLY ON public\.orders \(customer(?:, placed)?\);$/);
      expect(best).toMatchObject({ tested: true, helps: [{ query: 1 }] });
      expect(best?.saves_percent).toBeGreaterThan(90);
      // Built, it is not suggested again.
      await admin.query((best?.create ?? '').replace(' ON ', ' built ON '));
      const again = await client.read<Suggestions>('postgres', 'postgres_suggest_indexes', {
        sql: "SELECT * FROM orders WHERE customer = 17 AND placed > '2026-02-01' ORDER BY placed",
      });
      await admin.query('DROP INDEX built');
      expect(again.suggestions).toEqual([]);
      const { rows } = await admin.query('SELECT count(*)::int AS left FROM hypopg_list_indexes');
      expect(rows).toEqual([{ left: 0 }]);
    });

    it('tries statements with parameters, joins, names that need quotes, and changes', async () => {
      const { suggestions } = await client.read<Suggestions>('postgres', 'postgres_suggest_indexes', {
        queries: [
          'SELECT * FROM orders WHERE customer = $1 LIMIT $2',
          'SELECT c.email FROM customers c JOIN orders o ON o.customer = c.id WHERE c.id = 5',
          'UPDATE orders SET state = $1 WHERE customer = $2',
          'SELECT * FROM "Odd Names" WHERE "Select" = 4',
          'SELECT * FROM orders ORDER BY placed DESC LIMIT 10',
          'SELECT * FROM customers WHERE id = 3',
          'SELECT 1',
        ],
      });
      const created = suggestions.map(({ create }) => create);
      expect(created).toContain('CREATE INDEX CONCURRENTLY ON public.orders (customer);');
      expect(created).toContain('CREATE INDEX CONCURRENTLY ON public."Odd Names" ("Select");');
      expect(created).toContain('CREATE INDEX CONCURRENTLY ON public.orders (placed DESC);');
      const shared = suggestions.find(({ create }) => create.endsWith('orders (customer);'));
      expect(shared?.helps).toMatchObject([{ query: 1 }, { query: 2 }, { query: 3 }]);
      expect(created.join()).not.toContain('customers (id)');
    });

    it('explains a query with indexes that do not exist', async () => {
      const sql = 'SELECT * FROM orders WHERE customer = 5';
      const explain = (more: object) => client.read('postgres', 'postgres_explain_query', { sql, ...more });
      const plain = await explain({});
      const imagined = await explain({
        hypothetical_indexes: ['CREATE INDEX ON orders (customer)', 'CREATE INDEX ON customers (city)'],
      });
      expect(imagined).toMatchObject({
        plan: expect.stringMatching(/Index Scan on "?<\d+>btree_orders_customer/),
        cost_without: plain.total_cost,
        hypothetical_indexes: [{ is_used: true }, { is_used: false }],
      });
      expect(await explain({})).toEqual(plain);
      const refused = (index: string, more = {}) =>
        client.refused('postgres', 'postgres_explain_query', { sql, hypothetical_indexes: [index], ...more });
      expect(await refused('DROP TABLE orders')).toContain('This is no index');
      expect(await refused('CREATE INDEX ON hidden.secrets (value)')).toContain('out of reach');
      expect(await refused('CREATE INDEX ON orders USING gin (tags)')).toContain('btree, brin, hash, bloom');
      expect(await refused('CREATE INDEX ON orders (nothing)')).toContain('nothing');
      expect(await refused('CREATE INDEX ON orders (customer)', { analyze: true })).toContain('Leave analyze out');
    });

    it('advises on what the statistics show, for one table', async () => {
      for (let n = 0; n < 5; n++)
        await admin.query('SELECT count(*) FROM orders WHERE state = $1 AND placed < $2', ['open', '2026-01-02']);
      const advice = await client.read<Suggestions>('postgres', 'postgres_suggest_indexes', { table: 'orders' });
      expect(advice.suggestions.length).toBeGreaterThan(0);
      for (const { create } of advice.suggestions) expect(create).toContain(' ON public.orders (');
      expect(advice.queries?.map(({ sql }) => sql).join()).toContain('FROM orders WHERE');
    });

    it('refuses statements that are none of its business', async () => {
      const refused = (sql: string) => client.refused('postgres', 'postgres_suggest_indexes', { sql });
      expect(await refused('DROP TABLE orders')).toContain('Indexes help SELECT');
      expect(await refused('SELECT 1; SELECT 2')).toContain('2 statements');
      expect(await refused('SELEC')).toContain('not SQL');
      expect(await refused('SELECT * FROM hidden.secrets WHERE value = 1')).toContain('modules.postgres.schemas');
      expect(await refused("SELECT * FROM orders WHERE note = pg_read_file('/etc/passwd')")).toContain('out of reach');
      expect(await refused('SELECT * FROM orders WHERE nothing = 1')).toContain('column "nothing" does not exist');
      expect(await refused('SELECT * FROM nowhere WHERE id = 1')).toContain('relation "nowhere" does not exist');
      // Among others, what cannot be planned is left out.
      const { suggestions, notes } = await client.read<Suggestions>('postgres', 'postgres_suggest_indexes', {
        queries: [
          'SELECT * FROM orders WHERE customer = $1 AND nothing = 1',
          'SELECT * FROM orders WHERE customer = $1',
        ],
      });
      expect(notes).toEqual([expect.stringContaining('Query 1 cannot be planned: column "nothing" does not exist')]);
      expect(suggestions).toMatchObject([{ helps: [{ query: 2 }] }]);
    });

    it('shows the statistics of a table', async () => {
      expect(await client.read('postgres', 'postgres_get_table_stats', { table: 'public.orders' })).toMatchObject({
        table: 'public.orders',
        rows: ROWS,
        dead_rows: 0,
        indexes: expect.arrayContaining([
          expect.objectContaining({ name: 'orders_note', scans: 0, note: 'never used' }),
        ]),
      });
      expect(await client.read('postgres', 'postgres_get_table_stats', { table: '"Odd Names"' })).toMatchObject({
        rows: 20_000,
      });
      const refused = (table: string) => client.refused('postgres', 'postgres_get_table_stats', { table });
      expect(await refused('hidden.secrets')).toContain('out of reach');
      expect(await refused('secrets')).toContain('out of reach');
      expect(await refused('order')).toContain('Did you mean orders');
      expect(await refused('a.b.c.d')).toContain('There is no table');
      expect(await refused("x'; DROP TABLE orders; --")).toContain('There is no table');
    });

    it('shows settings, and hides the passwords in them', async () => {
      await admin.query("ALTER SYSTEM SET primary_conninfo = 'host=primary password=very-secret'");
      await admin.query('SELECT pg_reload_conf()');
      await vi.waitFor(async () => {
        const shown = await client.read<{ settings: object[] }>('postgres', 'postgres_get_settings', {
          names: ['primary_*', 'work_mem'],
        });
        expect(shown.settings).toMatchObject([
          { name: 'primary_conninfo', value: '(hidden)', source: 'configuration file' },
          { name: 'primary_slot_name' },
          { name: 'work_mem', value: '7 MB', default: '4 MB', source: 'command line' },
        ]);
      });
      const all = JSON.stringify(await client.read('postgres', 'postgres_get_settings'));
      expect(all).toContain('shared_buffers');
      expect(all).not.toContain('very-secret');
    });

    it('vacuums a table', async () => {
      await admin.query('DELETE FROM orders WHERE id % 10 = 0');
      // Otherwise the server counts the rows when this session has been idle for ten seconds.
      await admin.query('SELECT pg_stat_force_next_flush()');
      await vi.waitFor(async () => {
        const stats = await client.read<{ dead_rows: number }>('postgres', 'postgres_get_table_stats', {
          table: 'orders',
        });
        expect(stats.dead_rows).toBe(ROWS / 10);
      }, 10_000);
      expect(await client.call('postgres', 'postgres_vacuum_table', { table: 'orders' })).toMatchObject({
        statement: 'VACUUM (ANALYZE) public.orders;',
        dead_rows_before: ROWS / 10,
      });
      await vi.waitFor(async () => {
        const stats = await client.read('postgres', 'postgres_get_table_stats', { table: 'orders' });
        expect(stats).toMatchObject({ dead_rows: 0, last_vacuum: expect.stringMatching(/ s ago$/) });
      }, 10_000);
      expect(await client.refused('postgres', 'postgres_vacuum_table', { table: 'hidden.secrets' })).toContain(
        'out of reach',
      );
    });

    it('says how to switch the extensions on where they are missing', async () => {
      const source = 'postgres-bare';
      expect(await client.refused(source, 'postgres-bare_list_top_queries')).toContain(
        '1. run CREATE EXTENSION pg_stat_statements; in this database.',
      );
      const bare = await session(server.url('bare'), 'tests');
      await bare.query(
        'CREATE TABLE things (id int, kind int, tags jsonb); INSERT INTO things SELECT n, n, $${}$$ FROM generate_series(1, 5000) n; ANALYZE',
      );
      const guess = await client.read<Suggestions>(source, 'postgres-bare_suggest_indexes', {
        queries: ['SELECT * FROM things WHERE kind = 4 ORDER BY id', `SELECT * FROM things WHERE tags @> '{"a": 1}'`],
      });
      expect(guess).toMatchObject({
        tested: false,
        suggestions: [
          { create: 'CREATE INDEX CONCURRENTLY ON public.things (kind, id);', tested: false },
          { create: 'CREATE INDEX CONCURRENTLY ON public.things USING gin (tags);', tested: false },
        ],
      });
      expect(guess.notes?.[0]).toContain('CREATE EXTENSION hypopg;');
      expect(
        await client.refused(source, 'postgres-bare_explain_query', {
          sql: 'SELECT * FROM things',
          hypothetical_indexes: ['CREATE INDEX ON things (kind)'],
        }),
      ).toContain('CREATE EXTENSION hypopg;');
      expect(
        (await client.read<{ severity: string }>(source, 'postgres-bare_check_health', { checks: ['bloat'] })).severity,
      ).toBe('ok');
    });

    it('helps a user with few rights as far as it can', async () => {
      const source = 'postgres-plain';
      const { checks: all } = await client.read<{ checks: Check[] }>(source, 'postgres-plain_check_health');
      expect(all).toHaveLength(13);
      expect(all.find(({ check }) => check === 'bloat')?.summary).toContain('cannot be estimated');
      expect(all.find(({ check }) => check === 'connections')?.summary).toContain('pg_monitor');
      expect(all.find(({ check }) => check === 'superuser')?.severity).toBe('ok');
      expect(await client.read(source, 'postgres-plain_list_activity', { state: 'all' })).toMatchObject({
        note: expect.stringContaining('pg_monitor'),
      });
      expect(await client.read(source, 'postgres-plain_list_top_queries')).toMatchObject({
        note: expect.stringContaining('pg_monitor'),
      });
      expect(await client.read(source, 'postgres-plain_get_settings')).toMatchObject({
        note: expect.stringContaining('pg_read_all_settings'),
      });
      expect(await client.refused(source, 'postgres-plain_vacuum_table', { table: 'public.orders' })).toContain(
        'only its owner',
      );
      const busy = await session(server.url('shop'), 'busy');
      const sleeping = busy.query('SELECT pg_sleep(60)').catch(messageOf);
      const { rows } = await admin.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'busy'");
      expect(await client.refused(source, 'postgres-plain_cancel_query', { pid: rows[0].pid })).toContain('superuser');
      await admin.query('SELECT pg_cancel_backend($1)', [rows[0].pid]);
      expect(await sleeping).toContain('canceling');
    });
  },
);
