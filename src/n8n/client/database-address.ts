import { z } from 'zod';

const NAME = /^\w{1,63}$/;

/** The address of n8n's database, for credentials that its API does not list. */
export const n8nDatabase = z.string().superRefine((given, context) => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const names = ['schema', 'tablePrefix'].map((key) => url?.searchParams.get(key) ?? 'x');
  const known = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:';
  if (known && names.every((name) => NAME.test(name))) return;
  context.addIssue({
    code: 'custom',
    message: known
      ? 'has a schema or tablePrefix that is not a name (letters, digits and _)'
      : 'is not a PostgreSQL address',
    params: { fix: 'Write postgres://user:password@host:5432/database, with ?schema= if the schema is not public.' },
  });
});

/** Builds the address from n8n's DB_POSTGRESDB_* variables, or from the same names without POSTGRESDB. */
export function databaseFromEnvironment(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const said = (...names: string[]) => names.map((name) => env[name]?.trim()).find((value) => value);
  const host = said('DB_POSTGRESDB_HOST', 'DB_HOST');
  const type = said('DB_TYPE');
  if (host === undefined || (type !== undefined && !/^postgres(db|ql)?$/.test(type))) return undefined;
  const part = (text: string | undefined, otherwise: string) => encodeURIComponent(text ?? otherwise);
  const user = part(said('DB_POSTGRESDB_USER', 'DB_USERNAME', 'DB_USER'), 'postgres');
  const password = said('DB_POSTGRESDB_PASSWORD', 'DB_PASSWORD');
  const database = part(said('DB_POSTGRESDB_DATABASE', 'DB_DATABASE', 'DB_NAME'), 'n8n');
  const port = said('DB_POSTGRESDB_PORT', 'DB_PORT') ?? '5432';
  const query = new URLSearchParams();
  const schema = said('DB_POSTGRESDB_SCHEMA', 'DB_SCHEMA');
  const prefix = said('DB_TABLE_PREFIX');
  if (schema !== undefined) query.set('schema', schema);
  if (prefix !== undefined) query.set('tablePrefix', prefix);
  if (said('DB_POSTGRESDB_SSL_ENABLED') === 'true') query.set('sslmode', 'require');
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const rest = query.size > 0 ? `?${query.toString()}` : '';
  return `postgres://${user}${secret}@${host}:${port}/${database}${rest}`;
}
