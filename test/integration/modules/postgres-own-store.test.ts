/** A module must not reach the store of Sluice: whoever reads and writes there is an administrator. With real PostgreSQL. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { createDatabase, postgresIsMissing, type TestDatabase, urlOf } from '../../support/postgres.ts';

interface Way {
  /** What the role of the case is given. `$role`, `$group` and `$database` stand for their names. */
  readonly grants: readonly string[];
  readonly why: RegExp;
  /** Whether a statement takes it away again. */
  readonly ends: boolean;
}

const ways: Readonly<Record<string, Way>> = {
  usage: { grants: ['GRANT USAGE ON SCHEMA sluice TO $role'], why: /has rights on the schema sluice/, ends: true },
  runs: {
    grants: ['GRANT CREATE ON SCHEMA sluice_runs TO $role'],
    why: /rights on the schema sluice_runs/,
    ends: true,
  },
  table: { grants: ['GRANT SELECT ON sluice.keys TO $role'], why: /rights on tables of the schema sluice/, ends: true },
  column: { grants: ['GRANT UPDATE (id) ON sluice.keys TO $role'], why: /tables of the schema sluice/, ends: true },
  group: {
    grants: [
      'CREATE ROLE $group',
      'GRANT USAGE ON SCHEMA sluice TO $group',
      'ALTER ROLE $role NOINHERIT',
      'GRANT $group TO $role',
    ],
    why: /is a member of \S+group, which has rights on the schema sluice/,
    ends: true,
  },
  reads: {
    grants: ['GRANT pg_read_all_data TO $role'],
    why: /member of pg_read_all_data, which can use all/,
    ends: true,
  },
  writes: { grants: ['GRANT pg_write_all_data TO $role'], why: /member of pg_write_all_data/, ends: true },
  programs: {
    grants: ['GRANT pg_execute_server_program TO $role'],
    why: /files or programs of the server/,
    ends: true,
  },
  changes: { grants: ['ALTER ROLE $role REPLICATION'], why: /has REPLICATION/, ends: true },
  roles: { grants: ['ALTER ROLE $role CREATEROLE'], why: /has CREATEROLE/, ends: true },
  owns: { grants: ['ALTER DATABASE $database OWNER TO $role'], why: /owns the database/, ends: false },
  holds: { grants: ['ALTER TABLE sluice.keys OWNER TO $role'], why: /owns tables of the schema sluice/, ends: false },
  super: { grants: ['ALTER ROLE $role SUPERUSER'], why: /is a superuser/, ends: false },
};

const PASSWORD = 'a-password';
/** What the error says to run. */
const UNDOING = /To end that, run as an administrator: (.*;) Or give/;
const GRANTING = /with a password of yours: (.*;) Then set/;

describe.skipIf(postgresIsMissing)('the store of Sluice in the database of a module', () => {
  const owned = new AsyncDisposableStack();
  let database: TestDatabase;
  let admin: Client;
  let client: ModuleClient;
  const roleOf = (name: string) => `${database.database}_${name}`;
  const as = (user: string, password = PASSWORD, name = database.database) =>
    urlOf({ ...database, user, password }, name);

  const ran = async (sql: string) => void (await admin.query(sql));

  async function connected(url: string): Promise<Client> {
    const one = new Client({ connectionString: url });
    one.on('error', () => {});
    await one.connect();
    return one;
  }

  beforeAll(async () => {
    database = owned.use(await createDatabase());
    admin = await connected(database.url);
    owned.defer(() => admin.end());
    const { rows } = await admin.query(`SELECT current_setting('server_version_num')::int >= 160000 AS newer`);
    // There, CREATEROLE gives no rights on the roles of others.
    if (rows[0].newer) delete (ways as Record<string, Way>).roles;
    // Its gateway makes the tables, and ends: the roles get their rights before the next one starts.
    await (await moduleClient({}, { store: database.url }))[Symbol.asyncDispose]();
    // The engine of blueprints makes its own with the first run.
    await admin.query('CREATE SCHEMA IF NOT EXISTS sluice_runs');
    await admin.query('CREATE SCHEMA shop; CREATE TABLE shop.orders (id int PRIMARY KEY)');
    await admin.query('INSERT INTO shop.orders SELECT generate_series(1, 3)');
    for (const [name, { grants }] of [['plain', { grants: [] }] as const, ...Object.entries(ways)]) {
      const role = roleOf(name);
      owned.defer(() => ran(`REASSIGN OWNED BY ${role} TO postgres; DROP OWNED BY ${role}; DROP ROLE ${role}`));
      await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
      await admin.query(`GRANT USAGE, CREATE ON SCHEMA shop TO ${role}; GRANT ALL ON shop.orders TO ${role}`);
      for (const grant of grants)
        await admin.query(
          grant
            .replaceAll('$role', role)
            .replaceAll('$group', `${role}_group`)
            .replaceAll('$database', database.database),
        );
    }
    owned.defer(() => ran(`DROP OWNED BY ${roleOf('group')}_group; DROP ROLE ${roleOf('group')}_group`));
    const section = (name: string) => ({ type: 'postgres', mode: 'read-write', url: as(roleOf(name)) });
    client = owned.use(
      await moduleClient(
        {
          ...Object.fromEntries(['plain', ...Object.keys(ways)].map((name) => [name, section(name)])),
          vectors: { type: 'pgvector', url: database.url },
          reader: { type: 'postgres', url: database.url },
        },
        { store: database.url },
      ),
    );
  }, 60_000);
  afterAll(() => owned.disposeAsync());

  const query = (source: string) =>
    client.read(source, `${source}_query`, { sql: 'SELECT count(*) AS n FROM shop.orders' });

  it('is no reason to refuse a role without rights on it', async () => {
    expect(await query('plain')).toMatchObject({ rows: [{ n: 3 }] });
    await expect.poll(() => client.health('plain')).toMatchObject({ state: 'ready' });
  });

  it('is named at the start, before anybody calls a tool', async () => {
    for (const name of [...Object.keys(ways), 'vectors', 'reader'])
      await expect
        .poll(() => client.health(name), { message: name })
        .toMatchObject({
          state: 'failing',
          lastError: { message: expect.stringContaining(`The module ${name} is refused: Sluice`) },
        });
    const checks = new Map<string, string>();
    for await (const { check, result, detail } of client.gateway.runtime.check(AbortSignal.timeout(20_000)))
      checks.set(check, `${result}: ${detail}`);
    expect(checks.get('super')).toContain('failed: The module super is refused');
    expect(checks.get('plain')).toMatch(/^ok: PostgreSQL/);
  });

  it.each(Object.entries(ways))('is out of reach for a role that could use it: %s', async (name, { why, ends }) => {
    const said = await client.refused(name, `${name}_query`, { sql: 'SELECT 1' });
    expect(said).toMatch(why);
    expect(said).not.toContain(PASSWORD);
    const undoing = UNDOING.exec(said)?.[1];
    expect(undoing !== undefined, said).toBe(ends);
    if (undoing === undefined) return;
    await admin.query(undoing);
    expect(await query(name)).toMatchObject({ rows: [{ n: 3 }] });
  });

  it('is what everybody may use, if PUBLIC may', async () => {
    await admin.query('GRANT USAGE ON SCHEMA sluice TO PUBLIC');
    // Rights are looked at again after a while.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    onTestFinished(() => void vi.useRealTimers());
    const said = await client.refused('plain', 'plain_query', { sql: 'SELECT 1' });
    expect(said).toContain('everybody has rights on the schema sluice');
    expect(await client.refused('plain', 'plain_query', { sql: 'SELECT 1' })).toEqual(said);
    expect(client.health('plain')).toMatchObject({ state: 'failing' });
    await admin.query(UNDOING.exec(said)?.[1] ?? '');
    expect(await query('plain')).toMatchObject({ rows: [{ n: 3 }] });
    expect(client.health('plain')).toMatchObject({ state: 'ready' });
  });

  it.each(['super', 'reader'])('is out of reach for the role that the error proposes: %s', async (source) => {
    const said = await client.refused(source, `${source}_query`, { sql: 'SELECT 1' });
    const role = `sluice_${source}`;
    owned.defer(() => ran(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
    await admin.query((GRANTING.exec(said)?.[1] ?? '').replace("'PASSWORD'", `'${PASSWORD}'`));
    expect(said).toContain(`modules.${source}.url to postgres://${role}:PASSWORD@…/${database.database}`);
    const mode = source === 'super' ? 'read-write' : 'read-only';
    await using own = await moduleClient({ postgres: { url: as(role), mode } });
    expect(await own.read('postgres', 'query', { sql: 'SELECT count(*) AS n FROM shop.orders' })).toMatchObject({
      rows: [{ n: 3 }],
    });
    if (mode === 'read-only') return;
    await own.call('postgres', 'execute', { sql: 'CREATE TABLE shop.notes (id int)' });
    expect(await own.call('postgres', 'execute', { sql: 'INSERT INTO shop.orders VALUES (9)' })).toMatchObject({
      count: 1,
    });
    await admin.query('DELETE FROM shop.orders WHERE id = 9');
  });

  it('cannot be changed by what runs when Sluice no longer looks', async () => {
    const execute = (sql: string) => client.call('plain', 'plain_execute', { sql });
    const keys = async () => (await admin.query('SELECT * FROM sluice.keys')).rows;
    const before = await keys();
    const plants = `INSERT INTO sluice.keys SELECT * FROM sluice.keys; RETURN`;
    await execute(`CREATE FUNCTION shop.at_commit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN ${plants} NULL; END'`);
    await execute(
      `CREATE FUNCTION shop.indexed(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN ${plants} 1; END'`,
    );
    await execute(`CREATE FUNCTION shop.sampled() RETURNS bigint STABLE LANGUAGE plpgsql
      AS 'BEGIN RETURN (SELECT count(*) FROM sluice.keys TABLESAMPLE system (100)); END'`);
    await execute('CREATE TABLE shop.mine (id int)');
    await execute('INSERT INTO shop.mine VALUES (0)');
    await execute(`CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON shop.mine DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION shop.at_commit()`);
    for (const [tool, sql] of [
      ['execute', 'INSERT INTO shop.mine VALUES (1)'],
      ['execute', 'CREATE INDEX CONCURRENTLY ON shop.mine (shop.indexed(id))'],
      ['query', 'SELECT shop.sampled()'],
    ] as const)
      expect(await client.refused('plain', `plain_${tool}`, { sql }), sql).toContain('permission denied');
    const samples = { sql: `SELECT count(*) AS n FROM pg_stats WHERE schemaname = 'sluice'` };
    expect(await client.read('plain', 'plain_query', samples)).toMatchObject({ rows: [{ n: 0 }] });
    expect(await keys()).toEqual(before);
  });

  it('is reached by a superuser from any database of its server', async () => {
    await using other = await createDatabase();
    const plain = as(roleOf('plain'), PASSWORD, other.database);
    await using beside = await moduleClient(
      { postgres: { url: other.url }, plain: { type: 'postgres', url: plain } },
      { store: database.url },
    );
    const said = await beside.refused('postgres', 'query', { sql: 'SELECT 1' });
    expect(said).toContain('has its tables on the same server');
    expect(said).toContain('is a superuser');
    expect(await beside.read('plain', 'plain_query', { sql: 'SELECT 1 AS one' })).toMatchObject({ rows: [{ one: 1 }] });
    await using elsewhere = await moduleClient({ postgres: { url: other.url } });
    expect(await elsewhere.read('postgres', 'query', { sql: 'SELECT 1 AS one' })).toMatchObject({ rows: [{ one: 1 }] });
  });
});
