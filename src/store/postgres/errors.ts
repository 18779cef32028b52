import { AppError, messageOf } from '../../kernel/errors.ts';
import { placeOf, type PostgresAddress } from './address.ts';

function codeOf(thrown: unknown): string {
  const { code } = Object(thrown) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether the connection is lost or was never made, so that another one may work. */
export function isLost(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (/^(?:08|57P0)/.test(code) || /^E[A-Z]+$/.test(code)) return true;
  return /Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error/.test(
    messageOf(thrown),
  );
}

/** Whether this is an answer of the server, after which the connection can be used. */
export const isRefusal = (thrown: unknown): boolean => /^[\dA-Z]{5}$/.test(codeOf(thrown)) && !isLost(thrown);

/** The pool says it when every connection is in use for too long. */
const isFull = (thrown: unknown) => messageOf(thrown) === 'timeout exceeded when trying to connect';

/** Why statements were given up. */
export const silent = Object.assign(new Error('It answers nobody.'), { code: 'ETIMEDOUT' });

/** Whether the certificates are at fault: OpenSSL's and Node's codes. */
const isCertificate = (thrown: unknown) =>
  /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(codeOf(thrown));

/** Explains a failure of PostgreSQL or of the way there, and what to do. */
export function postgresError(address: PostgresAddress, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const where = `The store, PostgreSQL at ${placeOf(address)},`;
  const { user, database } = address;
  const made = (code: ConstructorParameters<typeof AppError>[0], text: string) =>
    new AppError(code, `${where} ${text}`, { cause: thrown });
  switch (codeOf(thrown)) {
    case '28P01':
    case '28000':
      return made(
        'unavailable',
        `refuses the user ${user} (${messageOf(thrown)}). Correct the user or the password in store, or allow the user in pg_hba.conf. If it wants encryption, add ?sslmode=require.`,
      );
    case '3D000':
      return made(
        'unavailable',
        `has no database ${database}. Create it: CREATE DATABASE "${database}" OWNER "${user}";`,
      );
    case '42501':
      return made(
        'unavailable',
        `does not let ${user} do that (${messageOf(thrown)}). Grant the right: GRANT CREATE ON DATABASE "${database}" TO "${user}"; or make ${user} the owner of the schema sluice.`,
      );
    case '25006':
      return made('unavailable', 'only reads: it is a standby. Use the address of the primary.');
    case '53300':
      return made(
        'unavailable',
        'has no connection left. Raise max_connections, or lower store.connections of each replica.',
      );
    case '53100':
      return made('unavailable', 'has no disk space left. Free some.');
    case '57014':
      return made('timeout', 'took too long to answer. Ask for less, or try again.');
    case '55P03':
      return made('unavailable', 'is busy: something else holds a lock. Try again.');
    case '22021':
    case '22P05':
      return made('invalid_input', `cannot store this text (${messageOf(thrown)}).`);
    case '08P01':
      return made(
        'unavailable',
        `is behind a connection pooler that does not support what Sluice needs (${messageOf(thrown)}). Use the address of PostgreSQL itself, or pool_mode = session.`,
      );
    case '26000':
    case '42P05':
      return made(
        'unavailable',
        `is behind a connection pooler in transaction mode (${messageOf(thrown)}). Use the address of PostgreSQL itself, or pool_mode = session.`,
      );
    default:
      if (thrown === silent)
        return made(
          'unavailable',
          'does not answer. Check that it runs, and try again; Sluice keeps trying to reach it.',
        );
      if (isFull(thrown))
        return made(
          'unavailable',
          'has no free connection: this replica uses all of its own. Try again; if it happens often, raise store.connections.',
        );
      if (isCertificate(thrown))
        return made(
          'unavailable',
          `cannot be trusted (${messageOf(thrown)}). Give the certificate of its authority as sslrootcert, and the name in its certificate as the host.`,
        );
      if (/does not support SSL/.test(messageOf(thrown)))
        return made(
          'unavailable',
          `${messageOf(thrown).replace('The server ', '')}. Turn ssl on there, or leave sslmode out.`,
        );
      return isLost(thrown)
        ? made('unavailable', `cannot be reached (${messageOf(thrown)}). Check that it runs; Sluice keeps trying.`)
        : made('internal', `failed: ${messageOf(thrown)}`);
  }
}
