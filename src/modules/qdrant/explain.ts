import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { HttpError } from '../http.ts';
import { shortened } from '../shown.ts';

/** Errors are `{ status: { error } }`, except those before the API, which are text. */
const refusal = z.object({ status: z.object({ error: z.string() }) });

/** `at` is the service with its place; `setting` is where its section is in the file. */
export function explain(error: HttpError, { at, setting }: { at: string; setting: string }): AppError {
  const { status } = error;
  const said = sentence(error.body);
  const made = (code: ConstructorParameters<typeof AppError>[0], text: string) =>
    new AppError(code, text, { cause: error });
  // Before 1.14 a missing index was forbidden, now it is a bad request.
  if (/Index required but not found|No appropriate index/.test(said))
    return made('invalid_input', `Qdrant refuses the request: ${said} qdrant_create_index makes an index.`);
  if (status === 401 || status === 403) {
    const why = status === 403 && said.startsWith('Forbidden: ') ? ` Qdrant says: ${said}` : '';
    return made(
      'unavailable',
      `${at} refuses the API key (HTTP ${status}).${why} Correct ${setting}.apiKey in sluice.yaml; a key that only reads cannot write.`,
    );
  }
  if (status >= 300 && status < 400)
    return made(
      'unavailable',
      `${at} redirects to another address. Set ${setting}.url in sluice.yaml to Qdrant itself.`,
    );
  if (status === 404 && /Collection .* doesn't exist/.test(said))
    return made('not_found', `${said} qdrant_list_collections shows the names.`);
  if (status === 404 && /Not found:/.test(said)) return made('not_found', said);
  if (status === 404)
    return made('unsupported', `${at} does not offer this. Update Qdrant, or correct ${setting}.url in sluice.yaml.`);
  if (status === 409) return made('conflict', said);
  if (status === 400 || status === 422)
    return made('invalid_input', `Qdrant refuses the request: ${said} Change it and try again.`);
  if (status === 413) return made('too_large', `The request is too large for ${at}. Send fewer points at once.`);
  return made('unavailable', `${at} answered with HTTP ${status}: ${said} Try again in a moment.`);
}

function sentence(body: string): string {
  let text = /^\s*</.test(body) ? '' : body;
  try {
    text = refusal.parse(JSON.parse(body)).status.error;
  } catch {
    // A text, or a page of a proxy.
  }
  const plain = shortened(text.trim(), 500);
  if (plain === '') return 'it gives no reason.';
  return /[.!?]$/.test(plain) ? plain : `${plain}.`;
}
