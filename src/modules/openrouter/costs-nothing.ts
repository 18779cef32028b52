import { neverSent } from '../../kernel/unreachable.ts';
import { HttpError } from '../http.ts';
import { failureIn } from './explain.ts';

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
  return neverSent(error);
}
