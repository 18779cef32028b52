/** A tour of the module postgres, with a real PostgreSQL behind it. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { ownPostgres } from '../../support/own-postgres.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';

interface Answer {
  columns?: { name: string; type: string }[];
  rows: Record<string, unknown>[];
  more?: true;
  note?: string;
  count?: number;
}

const SHOP = `
  CREATE SCHEMA shop;
  CREATE TABLE shop.customers (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, email text UNIQUE);
  COMMENT ON TABLE shop.customers IS 'Who buys';
  COMMENT ON COLUMN shop.customers.email IS 'Where invoices go';
  CREATE TYPE shop.state AS ENUM ('new', 'paid');
  CREATE TABLE shop.orders (id int PRIMARY KEY, customer int REFERENCES shop.customers, state shop.state DEFAULT 'new',
    total numeric(10, 2) CHECK (total >= 0));
  CREATE INDEX orders_by_customer ON shop.orders (customer);
  CREATE VIEW shop.open AS SELECT id, total FROM shop.orders WHERE state = 'new';
  CREATE FUNCTION shop.noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER note BEFORE INSERT ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.noted();
  INSERT INTO shop.customers (name, email) VALUES ('Ada', 'ada@example.com'), ('Bo', NULL);
  INSERT INTO shop.orders SELECT n, 1 + n % 2, 'new', n FROM generate_series(1, 10) AS n;
  CREATE TABLE "odd/name" ("__proto__" int, constructor text, "Größe" int);
  INSERT INTO "odd/name" VALUES (1, 'c', 2);
  CREATE SCHEMA secret; CREATE TABLE secret.plans (id int);
  ANALYZE`;

describe.skipIf(postgresIsMissing)('postgres', () => {
  let database: TestDatabase;
  let admin: Client;
  let reader: ModuleClient;
  let writer: ModuleClient;

  beforeAll(async () => {
    database = await createDatabase();
    admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(SHOP);
    reader = await moduleClient({ postgres: { url: database.url } });
    writer = await moduleClient({ postgres: { url: database.url, mode: 'read-write' } });
  });
  afterAll(async () => {
    await reader?.[Symbol.asyncDispose]();
    await writer?.[Symbol.asyncDispose]();
    await admin?.end();
    await database?.[Symbol.asyncDispose]();
  });

  const query = async (sql: string, more = {}): Promise<Answer> =>
    await reader.read<Answer>('postgres', 'query', { sql, ...more });

  describe('discovers', () => {
    it('its tools: those that change something only where it may', async () => {
      expect(await reader.listed()).toEqual(['postgres_list', 'postgres_call']);
      expect(await writer.listed()).toEqual(
        expect.arrayContaining(['postgres_list', 'postgres_call', 'postgres_read']),
      );
      expect(await reader.list('postgres')).toContain('postgres_query');
      expect(await reader.list('postgres')).not.toContain('postgres_execute');
      expect(await writer.list('postgres')).toContain('postgres_execute');
    });

    it('the schema of one, and what is meant by a wrong name', async () => {
      expect(await reader.list('postgres', { tool: 'postgres_query' })).toContain('params');
      expect(await reader.refused('postgres', 'postgres_querry')).toContain('postgres_query');
      expect(await reader.refused('postgres', 'postgres_execute', { sql: 'DELETE FROM shop.orders' })).toContain(
        'read-write',
      );
    });
  });

  describe('reads', () => {
    it('rows with params, as JSON', async () => {
      const answer = await query('SELECT id, name FROM shop.customers WHERE name = $1', { params: ['Ada'] });
      expect(answer).toEqual({
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'name', type: 'text' },
        ],
        rows: [{ id: 1, name: 'Ada' }],
      });
    });

    it('values of all kinds without losing digits', async () => {
      const { rows } = await query(`SELECT 9007199254740993::bigint AS big, 1.10::numeric AS exact, true AS yes,
        timestamptz '2026-01-02 03:04:05.678901Z' AT TIME ZONE 'UTC' AS at, date '2026-01-02' AS day,
        '{"a": [1]}'::jsonb AS data, array['x', NULL] AS list, '\\x00ff'::bytea AS bytes, NULL AS none,
        interval '1 day' AS span, 'NaN'::float8 AS nan, c AS whole FROM shop.customers c WHERE id = 1`);
      expect(rows).toEqual([
        {
          big: '9007199254740993',
          exact: '1.10',
          yes: true,
          at: '2026-01-02T03:04:05.678901',
          day: '2026-01-02',
          data: { a: [1] },
          list: ['x', null],
          bytes: { base64: 'AP8=', bytes: 2 },
          none: null,
          span: '1 day',
          nan: 'NaN',
          whole: { id: 1, name: 'Ada', email: 'ada@example.com' },
        },
      ]);
    });

    it('odd names of tables and columns, and two columns of one name', async () => {
      const { rows } = await query('SELECT *, 1 AS n, 2 AS n FROM "odd/name"');
      expect(JSON.stringify(rows)).toBe('[{"__proto___2":1,"constructor":"c","Größe":2,"n":1,"n_2":2}]');
      const described = await reader.read('postgres', 'describe_table', { table: 'odd/name' });
      expect(described).toMatchObject({ name: 'odd/name', columns: [{ name: '__proto__' }, {}, {}] });
    });

    it('as many rows as fit, and says how to go on', async () => {
      const answer = await query('SELECT n, repeat($$x$$, 100) AS text FROM generate_series(1, 10000000) AS n');
      expect(answer.rows.length).toBeGreaterThan(5);
      expect(answer.rows.length).toBeLessThan(101);
      expect(answer).toMatchObject({ more: true, note: expect.stringContaining('OFFSET') });
      await expect(query('SELECT 1 AS n UNION ALL SELECT 2', { limit: 1 })).resolves.toMatchObject({
        rows: [{ n: 1 }],
        more: true,
      });
      await expect(query('SELECT 1 AS n', { limit: 1 })).resolves.not.toHaveProperty('more');
    });

    it('a value of 50 MB, cut in the database', async () => {
      const { rows, note } = await query(`SELECT repeat('x', 50000000) AS huge, 7 AS small`);
      expect(rows[0]?.huge).toMatch(/^x+… \(50000000 characters\)$/);
      expect(rows[0]?.small).toBe(7);
      expect(note).toContain('substring');
    });

    it('the order that was asked for', async () => {
      const { rows } = await query('SELECT id FROM shop.orders ORDER BY total DESC, id');
      expect(rows.map(({ id }) => id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    });

    it('settings, plans, values and tables of the system', async () => {
      expect((await query('SHOW server_version')).rows[0]?.server_version).toMatch(/^\d/);
      expect((await query('VALUES (1), (2)')).rows).toEqual([{ column1: 1 }, { column1: 2 }]);
      expect((await query('EXPLAIN SELECT 1')).rows[0]?.['QUERY PLAN']).toContain('Result');
      const { rows } = await query(
        `SELECT count(*) > 0 AS some, random() < 2 AS small, pg_size_pretty(pg_relation_size('shop.orders')) AS size FROM pg_stat_activity`,
      );
      expect(rows).toEqual([{ some: true, small: true, size: '8192 bytes' }]);
    });

    it('nothing that lasts: a session is clean again', async () => {
      const { rows } = await query(`SELECT count(*) AS n FROM pg_prepared_statements`);
      expect(rows).toEqual([{ n: 0 }]);
    });
  });

  describe('looks into the catalogue', () => {
    it('schemas and tables', async () => {
      const { schemas } = await reader.read<{ schemas: { name: string }[] }>('postgres', 'list_schemas');
      expect(schemas.map(({ name }) => name)).toEqual(['public', 'secret', 'shop']);
      const { tables } = await reader.read<{ tables: { name: string }[] }>('postgres', 'list_tables', {
        schema: 'shop',
      });
      expect(tables).toEqual([
        { schema: 'shop', name: 'customers', kind: 'table', rows: 2, size: '48 kB', comment: 'Who buys' },
        { schema: 'shop', name: 'open', kind: 'view' },
        { schema: 'shop', name: 'orders', kind: 'table', rows: 10, size: '40 kB' },
      ]);
      expect(await reader.refused('postgres', 'list_tables', { schema: 'sluice' })).toContain('belongs to Sluice');
      const some = await reader.read('postgres', 'list_tables', { query: 'ORD', kind: 'table' });
      expect(some).toMatchObject({ tables: [{ name: 'orders' }] });
    });

    it('a table with everything about it', async () => {
      const orders = await reader.read('postgres', 'describe_table', { table: 'shop.orders' });
      expect(orders).toMatchObject({
        schema: 'shop',
        kind: 'table',
        rows: 10,
        columns: [
          { name: 'id', type: 'integer', nullable: false },
          { name: 'customer' },
          { name: 'state', type: 'shop.state', default: `'new'::shop.state` },
          { name: 'total', type: 'numeric(10,2)' },
        ],
        indexes: [{ name: 'orders_pkey' }, { name: 'orders_by_customer' }],
        constraints: [
          { definition: 'PRIMARY KEY (id)' },
          { definition: expect.stringContaining('REFERENCES shop.customers(id)') },
          { name: 'orders_total_check' },
        ],
        triggers: [{ name: 'note' }],
      });
      const customers = await reader.read('postgres', 'describe_table', { table: 'CUSTOMERS' });
      expect(customers).toMatchObject({ comment: 'Who buys', referenced_by: [{ table: 'shop.orders' }] });
      const view = await reader.read('postgres', 'describe_table', { table: 'open' });
      expect(view).toMatchObject({ kind: 'view', definition: expect.stringContaining('SELECT') });
    });

    it('a wide table in parts', async () => {
      const columns = Array.from({ length: 300 }, (_, at) => `column_number_${at} text`).join(', ');
      await admin.query(`CREATE TABLE wide (${columns})`);
      const wide = await reader.read<{ columns: unknown[]; more: string[] }>('postgres', 'describe_table', {
        table: 'wide',
      });
      expect(wide.more[0]).toContain('columns');
      const rest = await reader.read('postgres', 'describe_table', { table: 'wide', part: 'columns', offset: 290 });
      expect(rest).toMatchObject({ columns: { length: 10, 9: { name: 'column_number_299' } } });
      await admin.query('INSERT INTO wide DEFAULT VALUES');
      expect(await reader.refused('postgres', 'query', { sql: 'SELECT * FROM wide' })).toContain('Name fewer columns');
      await admin.query('DROP TABLE wide');
    });

    it('columns, functions, types, triggers, extensions and databases', async () => {
      const found = await reader.read('postgres', 'find_columns', { query: 'invoices' });
      expect(found).toMatchObject({ columns: [{ table: 'customers', column: 'email' }] });
      const functions = await reader.read('postgres', 'list_objects', { kind: 'function', schema: 'shop' });
      expect(functions).toMatchObject({ objects: [{ name: 'noted', about: expect.stringContaining('plpgsql') }] });
      for (const kind of ['sequence', 'type', 'index', 'trigger', 'policy', 'extension']) {
        const { objects } = await reader.read<{ objects: { name: string }[] }>('postgres', 'list_objects', { kind });
        expect(Array.isArray(objects), kind).toBe(true);
        if (objects[0]) {
          const shown = await reader.read('postgres', 'get_object', { kind, name: objects[0].name });
          expect(shown, kind).toMatchObject({ objects: [{ definition: expect.stringMatching(/CREATE/) }] });
        }
      }
      const code = await reader.read('postgres', 'get_object', { kind: 'function', name: 'shop.noted' });
      expect(code).toMatchObject({ objects: [{ definition: expect.stringContaining('RETURN NEW') }] });
      const state = await reader.read('postgres', 'get_object', { kind: 'type', name: 'state' });
      expect(state).toMatchObject({ objects: [{ definition: `CREATE TYPE shop.state AS ENUM ('new', 'paid')` }] });
      const { databases } = await reader.read<{ databases: { name: string; current?: true }[] }>(
        'postgres',
        'list_databases',
      );
      expect(databases[0]).toMatchObject({ name: database.database, current: true });
    });

    it('plans, measured only for what reads', async () => {
      const plan = await reader.read('postgres', 'explain_query', {
        sql: 'SELECT * FROM shop.orders WHERE id = $1',
        params: [1],
      });
      expect(plan).toMatchObject({ plan: expect.stringContaining('orders'), total_cost: expect.any(Number) });
      const measured = await reader.read('postgres', 'explain_query', { sql: 'TABLE shop.orders', analyze: true });
      expect(measured).toMatchObject({ plan: expect.stringContaining('actual time') });
      const change = await reader.read('postgres', 'explain_query', { sql: 'DELETE FROM shop.orders' });
      expect(change).toMatchObject({ plan: expect.stringContaining('Delete') });
      const numbered = await reader.read('postgres', 'explain_query', {
        sql: `SELECT nextval('shop.customers_id_seq')`,
      });
      expect(numbered).toMatchObject({ plan: expect.stringContaining('Result') });
      expect((await query('SELECT last_value FROM shop.customers_id_seq')).rows).toEqual([{ last_value: 2 }]);
      const refused = await reader.refused('postgres', 'explain_query', {
        sql: 'DELETE FROM shop.orders',
        analyze: true,
      });
      expect(refused).toContain('only reading');
    });

    it('plans with indexes that are only imagined', async (context) => {
      const asked = {
        sql: 'SELECT * FROM many WHERE code = $1',
        params: ['x'],
        hypothetical_indexes: ['CREATE INDEX ON many (code)'],
      };
      await admin.query(`CREATE TABLE many AS SELECT n, md5(n::text) AS code FROM generate_series(1, 20000) AS n`);
      await admin.query('ANALYZE many');
      expect(await reader.refused('postgres', 'explain_query', asked)).toContain('hypopg');
      const { rows } = await admin.query(`SELECT FROM pg_available_extensions WHERE name = 'hypopg'`);
      if (rows.length === 0 && process.env.CI !== 'true') context.skip('hypopg is not installed');
      await writer.call('postgres', 'execute', { sql: 'CREATE EXTENSION hypopg' });
      const imagined = await reader.read<{ total_cost: number; cost_without: number }>(
        'postgres',
        'explain_query',
        asked,
      );
      expect(imagined).toMatchObject({ plan: expect.stringMatching(/Index Scan using .*btree_many_code/) });
      expect(imagined.total_cost).toBeLessThan(imagined.cost_without / 10);
      const { plan } = await reader.read<{ plan: string }>('postgres', 'explain_query', {
        sql: asked.sql,
        params: ['x'],
      });
      expect(plan).toContain('Seq Scan');
      const own = await reader.refused('postgres', 'explain_query', {
        ...asked,
        hypothetical_indexes: ['CREATE INDEX ON sluice.keys (id)'],
      });
      expect(own).toContain('belongs to Sluice');
      await admin.query('DROP TABLE many; DROP EXTENSION hypopg');
    });
  });

  describe('writes', () => {
    const call = async (sql: string, more = {}) => await writer.call<Answer>('postgres', 'execute', { sql, ...more });

    it('inserts, changes and returns rows, without asking', async () => {
      const inserted = await call(`INSERT INTO shop.customers (name) VALUES ($1), ($2) RETURNING name`, {
        params: ['Cy', `Robert'); DROP TABLE shop.orders;--`],
      });
      expect(inserted).toMatchObject({ command: 'INSERT', count: 2, rows: [{ name: 'Cy' }, {}] });
      const changed = await call(`UPDATE shop.customers SET name = 'Di' WHERE name = 'Cy'`);
      expect(changed).toEqual({ command: 'UPDATE', count: 1 });
    });

    it('creates and alters', async () => {
      expect(await call('CREATE TABLE shop.notes (id int, text text)')).toEqual({ command: 'CREATE TABLE' });
      await call('ALTER TABLE shop.notes ADD COLUMN at timestamptz DEFAULT now()');
      await call('CREATE INDEX CONCURRENTLY notes_by_text ON shop.notes (text)');
      await call('VACUUM ANALYZE shop.notes');
      const notes = await writer.read('postgres', 'describe_table', { table: 'notes' });
      expect(notes).toMatchObject({ columns: { length: 3 }, indexes: [{ name: 'notes_by_text' }] });
    });

    it('asks before it deletes, and says how many rows', async () => {
      const sql = 'DELETE FROM shop.orders WHERE id > 7';
      const { question, result } = await writer.confirmed('postgres', 'execute', { sql });
      expect(question).toContain('Deletes rows of shop.orders. A rehearsal concerned 3 rows.');
      expect(result).toEqual({ command: 'DELETE', count: 3 });
      const left = await query('SELECT count(*) AS n FROM shop.orders');
      expect(left.rows).toEqual([{ n: 7 }]);
    });

    it('asks before it changes all rows, drops or empties, and names what goes', async () => {
      const all = await writer.refused('postgres', 'execute', { sql: `UPDATE shop.orders SET state = 'paid'` });
      expect(all).toContain('Changes all rows of shop.orders. A rehearsal concerned 7 rows.');
      const drop = await writer.refused('postgres', 'execute', { sql: 'DROP TABLE shop.orders CASCADE' });
      expect(drop).toContain('Drops the table shop.orders and everything that depends on it.');
      expect(drop).toMatch(/shop\.orders has about \d+ rows, \d+ kB\./);
      expect(drop).toContain('drop cascades to view shop.open');
      const empty = await writer.refused('postgres', 'execute', { sql: 'TRUNCATE shop.orders' });
      expect(empty).toContain('Empties shop.orders');
      const cannot = await writer.refused('postgres', 'execute', { sql: 'DROP TABLE shop.customers' });
      expect(cannot).toContain('CASCADE');
      expect(cannot).not.toContain('"confirm"');
      expect((await query('SELECT count(*) AS n FROM shop.open')).rows).toEqual([{ n: 7 }]);
    });

    it('tries it out without keeping it', async () => {
      const sql = 'DELETE FROM shop.orders RETURNING id';
      const tried = await call(sql, { dry_run: true });
      expect(tried).toMatchObject({ command: 'DELETE', count: 7, dry_run: true });
      expect((await query('SELECT count(*) AS n FROM shop.orders')).rows).toEqual([{ n: 7 }]);
      expect(await writer.refused('postgres', 'execute', { sql: 'VACUUM shop.orders', dry_run: true })).toContain(
        'no dry run',
      );
    });

    it('says why PostgreSQL refuses, and keeps nothing of it', async () => {
      const refused = async (sql: string) => await writer.refused('postgres', 'execute', { sql });
      expect(await refused('INSERT INTO shop.orders VALUES (1)')).toContain('Key (id)=(1) already exists');
      expect(await refused('INSERT INTO shop.nothing VALUES (1)')).toContain('postgres_list_tables');
      expect(await refused(`INSERT INTO shop.orders VALUES (99, 1, 'odd')`)).toContain('invalid input value for enum');
      expect(await refused('UPDATE shop.orders SET total = -1 WHERE id = 1')).toContain('orders_total_check');
    });
  });

  describe('with bad input', () => {
    it('names what is near', async () => {
      const said = await reader.refused('postgres', 'describe_table', { table: 'shop.ordres' });
      expect(said).toContain('shop.orders');
      expect(await reader.refused('postgres', 'query', { sql: 'SELECT * FROM nothing' })).toContain('does not exist');
      expect(await reader.refused('postgres', 'query', { sql: 'SELECT nothing FROM shop.orders' })).toContain(
        'postgres_describe_table',
      );
      expect(await reader.refused('postgres', 'query', { sql: 'SELECT $1::int', params: ['x'] })).toContain(
        'invalid input syntax',
      );
      expect(await reader.refused('postgres', 'query', { sql: 'SELECT 1', limit: 5000 })).toContain('limit');
      expect(await reader.refused('postgres', 'list_tables', { cursor: 'x' })).toContain('next_cursor');
    });

    it('keeps to the schemas that are allowed', async () => {
      await using limited = await moduleClient({
        postgres: { url: database.url, schemas: ['sh*', 'public'], mode: 'read-write' },
      });
      const refused = async (sql: string) => await limited.refused('postgres', 'execute', { sql });
      const others = 'SELECT query FROM pg_stat_get_activity(NULL)';
      for (const sql of [
        'TABLE secret.plans',
        'SELECT * FROM pg_class',
        'SELECT * FROM information_schema.tables',
        others,
        'SELECT pg_catalog.pg_stat_get_backend_activity(1)',
      ])
        expect(await limited.refused('postgres', 'query', { sql })).toContain('modules.postgres.schemas');
      expect(await refused(others)).toContain('modules.postgres.schemas');
      expect((await query(others)).rows).not.toEqual([]);
      expect(await refused('CREATE TABLE secret.x (id int)')).toContain('modules.postgres.schemas');
      expect(await refused('DROP SCHEMA secret')).toContain('modules.postgres.schemas');
      expect(await limited.refused('postgres', 'describe_table', { table: 'plans' })).toContain(
        'modules.postgres.schemas',
      );
      const { schemas } = await limited.read<{ schemas: { name: string }[] }>('postgres', 'list_schemas');
      expect(schemas.map(({ name }) => name)).toEqual(['public', 'shop']);
      const { rows } = await limited.read<Answer>('postgres', 'query', {
        sql: 'SELECT count(*) AS n FROM shop.customers',
      });
      expect(rows).toEqual([{ n: 4 }]);
    });

    it('is kept to what its role may use, whatever the code of functions hides', async () => {
      const role = `kept_${database.database}`;
      await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'kept'; GRANT USAGE, CREATE ON SCHEMA shop TO ${role}`);
      const url = database.url.replace(/\/\/.*@/, `//${role}:kept@`);
      await using kept = await moduleClient({ postgres: { url, mode: 'read-write' } });
      for (const [name, body] of Object.entries({
        counts: 'SELECT count(*) FROM secret.plans',
        reads: `SELECT length(U&"pg\\005fread\\005ffile"('/etc/passwd'))`,
      })) {
        const sql = `CREATE FUNCTION shop.${name}() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (${body}); END $$`;
        await kept.call('postgres', 'execute', { sql });
        const said = await kept.refused('postgres', 'execute', { sql: `SELECT shop.${name}()` });
        expect(said).toContain('permission denied');
      }
      await kept[Symbol.asyncDispose]();
      await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });

    it('says what is wrong with the password, the database and the server, and shows no password', async () => {
      const { host, port, user, password } = database;
      const urls = {
        password: `postgres://${user}:wrong-secret@${host}:${port}/${database.database}`,
        'does not have this database': `postgres://${user}:${password}@${host}:${port}/missing`,
        'nothing listens there': `postgres://${user}:${password}@${host}:1/x`,
      };
      for (const [said, url] of Object.entries(urls)) {
        await using broken = await moduleClient({ postgres: { url } });
        const text = await broken.refused('postgres', 'query', { sql: 'SELECT 1' });
        expect(text).toContain(said);
        expect(text).toContain('modules.postgres');
        expect(text).not.toMatch(new RegExp(`wrong-secret|${password}`));
        expect(broken.health('postgres')).toMatchObject({ state: 'failing' });
      }
    });

    it('stops what takes too long, in the database, too', async () => {
      await using slow = await moduleClient({ postgres: { url: database.url, timeout: '1s' } });
      const sql = 'SELECT count(*) FROM generate_series(1, 1000000000) AS endless';
      expect(await slow.refused('postgres', 'query', { sql })).toMatch(/took (?:longer|too long)/);
      const running = async () =>
        (
          await admin.query(
            `SELECT FROM pg_stat_activity WHERE query LIKE '%endless%' AND state = 'active' AND pid <> pg_backend_pid()`,
          )
        ).rowCount;
      await expect.poll(running, { timeout: 5000 }).toBe(0);
      await expect(slow.read('postgres', 'query', { sql: 'SELECT 1 AS one' })).resolves.toMatchObject({
        rows: [{ one: 1 }],
      });
    });
  });

  it('warns of superusers, and not of others', async () => {
    const check = async (url: string) => {
      await using client = await moduleClient({ postgres: { url } });
      for await (const { check: name, detail } of client.gateway.runtime.check(AbortSignal.timeout(10_000)))
        if (name === 'postgres') return detail;
      return undefined;
    };
    expect(await check(database.url)).toMatch(/^PostgreSQL \d+\.\d+, database test_.+; its user is a superuser/);
    const role = `plain_${database.database}`;
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'plain'`);
    const { host, port } = database;
    expect(await check(`postgres://${role}:plain@${host}:${port}/${database.database}`)).not.toContain('superuser');
    await admin.query(`DROP ROLE ${role}`);
  });

  it('survives a server that crashes in mid-call and comes back', async () => {
    await using server = await ownPostgres();
    await server.start();
    await using client = await moduleClient({ postgres: { url: server.url(), timeout: '20s' } });
    const one = async () => await client.read<Answer>('postgres', 'query', { sql: 'SELECT 1 AS one' });
    expect((await one()).rows).toEqual([{ one: 1 }]);
    const cut = client.refused('postgres', 'query', { sql: 'SELECT count(*) FROM generate_series(1, 1000000000)' });
    const watcher = new Client({ connectionString: server.url() });
    watcher.on('error', () => {});
    await watcher.connect();
    const busy = async () =>
      (await watcher.query(`SELECT FROM pg_stat_activity WHERE query LIKE '%1000000000%' AND pid <> pg_backend_pid()`))
        .rowCount;
    await expect.poll(busy).toBe(1);
    await server.stop('immediate');
    expect(await cut).toMatch(/closed the connection|starting or stopping|lost the connection|nothing listens/);
    expect(await client.refused('postgres', 'query', { sql: 'SELECT 1' })).toContain('nothing listens');
    expect(client.health('postgres')).toMatchObject({ state: 'failing' });
    await server.start();
    expect((await one()).rows).toEqual([{ one: 1 }]);
    expect(client.health('postgres')).toMatchObject({ state: 'ready' });
    await watcher.end().catch(() => {});
  });

  it('says that the server speaks no TLS', async () => {
    await using client = await moduleClient({ postgres: { url: database.url, insecure: true } });
    expect(await client.refused('postgres', 'query', { sql: 'SELECT 1' })).toContain('TLS');
  });
});
