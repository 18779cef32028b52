import { AppError } from '../../kernel/errors.ts';
import type { N8nAddress } from './answer.ts';

const SAID = 'n8n is starting up';

/** Until its database is ready, n8n answers every request with this text and status 200, and does nothing. */
export function saysItStarts(body: string | Uint8Array): boolean {
  return typeof body === 'string'
    ? body.startsWith(SAID)
    : Buffer.from(body.subarray(0, SAID.length)).toString() === SAID;
}

const NOT_READY = /^Database is not ready|<pre>Cannot [A-Z]+ \//;

/** A little later n8n answers 503, and for routes that it has not registered yet the 404 page of its HTTP server. */
export function saysNotReady(body: unknown): boolean {
  const said = typeof body === 'object' && body !== null && 'message' in body ? body.message : body;
  return typeof said === 'string' && NOT_READY.test(said);
}

export function notRunYet({ name, url }: Pick<N8nAddress, 'name' | 'url'>): AppError {
  const message = `n8n (${name}, ${url}) is still starting. The workflow did not run. Try again in a few seconds.`;
  return new AppError('unavailable', message, { data: { notExecuted: true } });
}
