import { AppError } from '../../kernel/errors.ts';
import type { Credential } from '../client/shapes.ts';

/** n8n's own database, for credentials that the API key may not list. */
export interface CredentialDatabase {
  /** Selects ids, names and types, never the values. */
  list(signal?: AbortSignal): Promise<Credential[]>;
  get(id: string, signal?: AbortSignal): Promise<Credential | undefined>;
}

const PATIENCE_MS = 10_000;
/** More than any n8n has. */
const MOST = 10_000;

interface Row {
  id: string;
  name: string;
  type: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Reads n8n's PostgreSQL. `?schema=` and `?tablePrefix=` in the address are n8n's DB_POSTGRESDB_SCHEMA and
 * DB_TABLE_PREFIX. Queries are rare, so each opens its own connection.
 */
export function postgresCredentials(address: string): CredentialDatabase {
  const url = new URL(address);
  const table = `${quoted(url.searchParams.get('schema') ?? 'public')}.${quoted(`${url.searchParams.get('tablePrefix') ?? ''}credentials_entity`)}`;
  for (const own of ['schema', 'tablePrefix']) url.searchParams.delete(own);
  const columns = 'SELECT "id", "name", "type", "createdAt", "updatedAt"';

  async function query(text: string, values: unknown[], signal?: AbortSignal): Promise<Credential[]> {
    signal?.throwIfAborted();
    const { Client } = (await import('pg')).default;
    const client = new Client({
      connectionString: url.href,
      application_name: 'sluice',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      statement_timeout: PATIENCE_MS,
    });
    // Without a listener, a connection that breaks between queries would end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('BEGIN TRANSACTION READ ONLY');
      const { rows } = await client.query<Row>(text, values);
      await client.query('COMMIT');
      return rows.map(({ createdAt, updatedAt, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      }));
    } catch (error) {
      throw unread(error);
    } finally {
      await client.end().catch(() => {});
    }
  }

  return {
    list: (signal) => query(`${columns} FROM ${table} ORDER BY "createdAt" DESC LIMIT $1`, [MOST], signal),
    get: async (id, signal) => (await query(`${columns} FROM ${table} WHERE "id" = $1`, [id], signal))[0],
  };
}

/** An identifier cannot be a query parameter, so it is checked. */
function quoted(name: string): string {
  if (/^\w{1,63}$/.test(name)) return `"${name}"`;
  throw new AppError(
    'invalid_input',
    'The schema and tablePrefix of an n8n database may contain only letters, digits and _.',
  );
}

// The driver's own message may contain the address and with it the password.
function unread(error: unknown): AppError {
  const { code } = error as { code?: unknown };
  const why =
    code === '28P01' || code === '28000'
      ? 'refused the user or the password'
      : code === '42P01'
        ? 'has no table credentials_entity there. Check ?schema= and ?tablePrefix='
        : code === '42501'
          ? 'does not let this user read credentials_entity: GRANT SELECT on it'
          : code === '3D000'
            ? 'does not exist'
            : `cannot be read (${typeof code === 'string' ? code : 'no answer'})`;
  return new AppError('unavailable', `n8n's database ${why}.`, { cause: error });
}
