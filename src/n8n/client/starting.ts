import { AppError } from '../../kernel/errors.ts';
import type { N8nAddress } from './answer.ts';

const SAID = 'n8n is starting up';

/** Until its database is ready n8n says this, with status 200, to whatever it is asked, and does nothing. */
export function saysItStarts(body: string | Uint8Array): boolean {
  return typeof body === 'string'
    ? body.startsWith(SAID)
    : Buffer.from(body.subarray(0, SAID.length)).toString() === SAID;
}

export function notRunYet({ name, url }: Pick<N8nAddress, 'name' | 'url'>): AppError {
  const message = `n8n (${name}, ${url}) is still starting. The workflow did not run. Try again in a few seconds.`;
  return new AppError('unavailable', message, { data: { notExecuted: true } });
}
