import { AppError } from '../../kernel/errors.ts';
import { SERVER_ID } from '../../store/own-names.ts';
import type { Allowed } from '../allowed.ts';
import type { Around } from '../module.ts';
import { quoted } from './health/quoted.ts';

type Run = (sql: string, values?: readonly unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;

/** A way from the role of the connection to a store of Sluice. */
interface Way {
  /** What the role is or has, such as `owns the schema sluice`. */
  readonly what: string;
  /** The role that is or has it; null for everybody. */
  readonly role: string | null;
  /** Whether that is the role of the connection itself. */
  readonly mine: boolean;
  /** Whether it leads to every database of the server. */
  readonly everywhere: boolean;
  /** What takes it away; null if another role is needed. */
  readonly undo: string | null;
  /** The groups through which the role of the connection gets it. */
  readonly through: readonly string[];
}

interface Found {
  readonly user: string;
  readonly database: string;
  /** The schemas of Sluice that are in this database. */
  readonly stores: readonly string[];
  /** The other schemas. */
  readonly schemas: readonly string[];
  readonly ways: readonly Way[];
}

/**
 * Everything that would let SQL of this connection reach the schemas $1, now or after a SET ROLE. Rights of groups count
 * whether they are inherited or not: code in the database can take them up.
 */
const WAYS = `
WITH me AS (SELECT oid, rolname, rolsuper FROM pg_catalog.pg_roles WHERE rolname = session_user),
roles AS (
  SELECT r.oid, r.rolname, r.rolsuper, r.rolcreaterole, r.rolreplication FROM me JOIN pg_catalog.pg_roles r
    ON r.oid = me.oid OR (NOT me.rolsuper AND pg_has_role(me.oid, r.oid, 'MEMBER'))
),
stores AS (SELECT oid, nspname, nspowner, nspacl FROM pg_catalog.pg_namespace WHERE nspname = ANY ($1::text[])),
tables AS (
  SELECT c.oid, c.relowner, c.relacl, s.nspname FROM stores s JOIN pg_catalog.pg_class c ON c.relnamespace = s.oid
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
),
granted AS (
  SELECT a.grantee, format('has rights on the schema %I', nspname) AS what,
    format('REVOKE ALL ON SCHEMA %I', nspname) AS revoke
  FROM stores, aclexplode(nspacl) a WHERE a.grantee <> nspowner
  UNION
  SELECT a.grantee, format('has rights on tables of the schema %I', nspname),
    format('REVOKE ALL ON ALL TABLES IN SCHEMA %I', nspname)
  FROM (SELECT nspname, relowner, relacl AS acl FROM tables UNION ALL
    SELECT nspname, relowner, attacl FROM tables JOIN pg_catalog.pg_attribute ON attrelid = oid) t, aclexplode(acl) a
  WHERE a.grantee <> relowner
),
ways AS (
  SELECT oid AS role, 'is a superuser' AS what, true AS everywhere, NULL AS undo FROM roles WHERE rolsuper
  UNION SELECT oid, 'has CREATEROLE and can make itself a member of any role', true,
    format('ALTER ROLE %I NOCREATEROLE;', rolname)
  FROM roles WHERE rolcreaterole AND NOT rolsuper AND current_setting('server_version_num')::int < 160000
  UNION SELECT oid, 'has REPLICATION and can read all changes', false, format('ALTER ROLE %I NOREPLICATION;', rolname)
  FROM roles WHERE rolreplication AND NOT rolsuper
  UNION SELECT oid, 'can use files or programs of the server', true, NULL FROM roles
  WHERE rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
  UNION SELECT oid, 'can use all tables of the database', false, NULL FROM roles
  WHERE rolname IN ('pg_read_all_data', 'pg_write_all_data')
  UNION SELECT datdba, 'owns the database, and so the parameters of all its sessions', false, NULL
  FROM pg_catalog.pg_database WHERE datname = current_database()
  UNION SELECT nspowner, format('owns the schema %I', nspname), false, NULL FROM stores
  UNION SELECT relowner, format('owns tables of the schema %I', nspname), false, NULL FROM tables
  UNION SELECT grantee, what, false, format('%s FROM %s;', revoke, CASE grantee WHEN 0 THEN 'PUBLIC'
    ELSE (SELECT quote_ident(rolname) FROM roles WHERE oid = grantee) END)
  FROM granted
)
SELECT session_user AS user, current_database() AS database,
  ARRAY(SELECT nspname::text FROM stores ORDER BY 1) AS stores,
  ARRAY(SELECT nspname::text FROM pg_catalog.pg_namespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND nspname <> ALL ($1::text[]) ORDER BY 1) AS schemas,
  (SELECT coalesce(json_agg(json_build_object('what', what, 'role', roles.rolname,
      'mine', coalesce(roles.oid = me.oid, false), 'everywhere', everywhere, 'undo', undo,
      'through', ARRAY(SELECT DISTINCT g.rolname FROM pg_catalog.pg_auth_members m
        JOIN pg_catalog.pg_roles g ON g.oid = m.roleid
        WHERE m.member = me.oid AND roles.oid <> me.oid AND pg_has_role(g.oid, roles.oid, 'MEMBER')))
      ORDER BY everywhere DESC, what, roles.rolname), '[]')
    FROM me CROSS JOIN ways LEFT JOIN roles ON roles.oid = ways.role
    WHERE (roles.oid IS NOT NULL OR ways.role = 0) AND (everywhere OR EXISTS (SELECT FROM stores))
      AND (NOT me.rolsuper OR what = 'is a superuser')) AS ways`;

/** Schemas that the proposed grants name. */
const MOST_SCHEMAS = 20;

type Asking = Pick<Around, 'name' | 'isReadOnly' | 'own'>;

/**
 * Throws if the role of the connection can reach a store of Sluice: whoever uses the module could then add a key for
 * themselves. What a statement does at its end, or in code of the database, nobody can judge before; what a role may do,
 * PostgreSQL decides.
 */
export async function needApart(run: Run, { name, isReadOnly, own }: Asking, reach: Allowed): Promise<void> {
  // The role can have another path, with functions of its own before PostgreSQL's.
  await run('SET LOCAL search_path TO pg_catalog');
  const { rows } = await run(WAYS, [own.schemas]);
  const found = rows[0] as Found;
  const { user, database, stores, ways } = found;
  if (ways.length === 0) return;
  if (stores.length === 0 && !(await isBesideStore(run, own))) return;
  const place =
    stores.length > 0 ? `has its tables in this database (${stores.join(', ')})` : 'has its tables on the same server';
  const why = ways.map(({ what, role, mine }) =>
    mine ? `${user} ${what}` : role === null ? `everybody ${what}` : `${user} is a member of ${role}, which ${what}`,
  );
  const role = `sluice_${name}`.replaceAll('-', '_');
  const undoing = undoOf(user, ways);
  const forAll = ways.flatMap((way) => (way.role === null && way.undo !== null ? [way.undo] : []));
  const schemas = found.schemas.filter((schema) => reach.has(schema)).slice(0, MOST_SCHEMAS);
  const block = [...forAll, ...grantsFor({ role, database, isReadOnly }, schemas)].join(' ');
  throw new AppError(
    'forbidden',
    `The module ${name} is refused: Sluice ${place}, and the module's user ${user} can reach them. Whoever may use the module could read everything there, and make themselves an administrator. Why: ${why.join('; ')}. ` +
      `${undoing === undefined ? 'Give' : `To end that, run as an administrator: ${undoing} Or give`} the module a role of its own. ` +
      `Run in the database ${database} as the owner of the tables, with a password of yours: ${block} Then set modules.${name}.url to postgres://${role}:PASSWORD@…/${database}.`,
  );
}

/** A superuser reaches every database of its server. */
async function isBesideStore(run: Run, own: Around['own']): Promise<boolean> {
  const store = await own.storeServer();
  if (store === undefined) return false;
  const { rows } = await run(SERVER_ID);
  return (rows[0] as { id: string }).id === store;
}

/** What takes all the ways away; undefined if only another role helps. */
function undoOf(user: string, ways: readonly Way[]): string | undefined {
  const statements = ways.map(({ mine, role, undo, through }) => {
    if (mine || role === null) return undo;
    return through.map((group) => `REVOKE ${quoted(group)} FROM ${quoted(user)};`).join(' ') || null;
  });
  return statements.includes(null) ? undefined : [...new Set(statements)].join(' ');
}

interface NewRole {
  readonly role: string;
  readonly database: string;
  readonly isReadOnly: boolean;
}

function grantsFor({ role, database, isReadOnly }: NewRole, schemas: readonly string[]): string[] {
  const to = `TO ${quoted(role)};`;
  const first = [
    `CREATE ROLE ${quoted(role)} LOGIN PASSWORD 'PASSWORD';`,
    `GRANT CONNECT ON DATABASE ${quoted(database)} ${to}`,
  ];
  if (schemas.length === 0) return first;
  const all = schemas.map(quoted).join(', ');
  const rights = isReadOnly ? 'SELECT' : 'SELECT, INSERT, UPDATE, DELETE';
  return [
    ...first,
    `GRANT USAGE${isReadOnly ? '' : ', CREATE'} ON SCHEMA ${all} ${to}`,
    `GRANT ${rights} ON ALL TABLES IN SCHEMA ${all} ${to}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${all} GRANT ${rights} ON TABLES ${to}`,
    ...(isReadOnly ? [] : [`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${all} ${to}`]),
  ];
}
