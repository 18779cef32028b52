import { AppError, messageOf } from './errors.ts';

/**
 * Explains what every service has in common: it cannot be reached, or its certificate is not trusted. Undefined for
 * any other error. `at` is the service with its place, such as `redis at 127.0.0.1:6379`.
 */
export function failureAt(at: string, setting: string, error: unknown): AppError | undefined {
  const made = (code: ConstructorParameters<typeof AppError>[0], text: string) =>
    new AppError(code, `${at} ${text}`, { cause: error });
  const { code, said } = causeOf(error);
  if (CERTIFICATE.test(code))
    return made(
      'unavailable',
      `has a certificate that is not trusted (${code}). Set ${setting}.ca to the certificate of its authority.`,
    );
  if (TLS.test(code) || /\bTLS\b|SSL routines|wrong version number/.test(said))
    return made(
      'unavailable',
      `refused the TLS connection (${said}). Check whether ${setting} should use TLS, and the keys ca, cert and key.`,
    );
  switch (code) {
    case 'ECONNREFUSED':
      return made('unavailable', `is not running: nothing listens there. Start it, or correct ${setting}.`);
    case 'ENOENT':
      return made('unavailable', `is not running: the socket does not exist. Start it, or correct ${setting}.`);
    case 'EACCES':
      return made('unavailable', `may not be opened by this user. Allow it, or correct ${setting}.`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return made('unavailable', `cannot be found: the name does not resolve. Correct ${setting}.`);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return made('unavailable', `cannot be reached over the network. Check the address in ${setting}.`);
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return made('unavailable', `does not answer. Check that it runs, and the address in ${setting}.`);
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return made('unavailable', 'closed the connection. Try again in a moment.');
    default:
      return undefined;
  }
}

const CERTIFICATE = /^(?:CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/;
const TLS = /^(?:EPROTO|ERR_SSL|ERR_TLS|ERR_OSSL)/;

/** What a socket says before it is connected. */
const UNCONNECTED = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EACCES',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether there was no connection, so that nothing was sent: refused, an unknown name, TLS that failed. */
export function neverSent(error: unknown): boolean {
  // Node tries all addresses of a name, and reports their errors together.
  if (error instanceof AggregateError) return error.errors.every(neverSent);
  if (!(error instanceof Error)) return false;
  const { code, syscall, cause } = error as NodeJS.ErrnoException;
  if (!isNodeCode(code)) return neverSent(cause);
  if (syscall === 'connect' || syscall === 'getaddrinfo' || CERTIFICATE.test(code) || TLS.test(code)) return true;
  // A connection that stands can lose its way, too.
  return syscall === undefined && UNCONNECTED.has(code);
}

/** Codes of AppErrors are in lower case. */
const isNodeCode = (code: unknown): code is string => typeof code === 'string' && /^[A-Z][A-Z_\d]+$/.test(code);

/** Node and the drivers wrap the error of the socket. */
function causeOf(error: unknown): { code: string; said: string } {
  const seen = new Set<unknown>();
  let inner = error;
  let said = messageOf(error);
  while (inner instanceof Error && !seen.has(inner)) {
    seen.add(inner);
    const { code, cause, errors } = inner as Error & { code?: unknown; errors?: unknown[] };
    if (isNodeCode(code)) return { code, said: inner.message };
    said = inner.message;
    // One of several addresses of a name: they fail alike.
    inner = cause ?? errors?.[0];
  }
  return { code: '', said };
}
