import { HttpError } from '../http.ts';
import { failureIn } from './explain.ts';

/** Errors of a request that never arrived. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EACCES',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** No certificate that is trusted, no TLS at all: nothing was sent. */
const TLS = /^(?:CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH)/;

/**
 * Whether a chat that failed so certainly cost nothing: it never arrived, or OpenRouter refused it before a model wrote
 * anything. After a time-out or a connection that broke, nobody knows.
 */
export function costsNothing(error: unknown): boolean {
  if (error instanceof HttpError) {
    if (error.status >= 300 && error.status < 500) return error.status !== 408;
    // A proxy may say this after the model has answered; OpenRouter says it only if none did.
    return (error.status === 502 || error.status === 503) && failureIn(error.body) !== undefined;
  }
  const code = codeIn(error);
  return NOT_SENT.has(code) || TLS.test(code);
}

function codeIn(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code, errors } = error as Error & { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  return codeIn(errors?.[0] ?? error.cause);
}
