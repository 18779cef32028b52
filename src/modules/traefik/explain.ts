import { AppError } from '../../kernel/errors.ts';
import type { HttpError } from '../http.ts';
import { shortened } from '../shown.ts';
import { maskedText } from './masked.ts';

interface Question {
  readonly path: string;
  /** The service with its place: `traefik at 127.0.0.1:8080`. */
  readonly at: string;
  /** Where its section is in the file. */
  readonly setting: string;
}

/** What Traefik, or a proxy before it, says about a request that it refuses. */
export function explain(error: HttpError, { path, at, setting }: Question): AppError {
  const { status } = error;
  const made = (code: ConstructorParameters<typeof AppError>[0], text: string) =>
    new AppError(code, text, { cause: error });
  const said = messageIn(error.body);
  if (status === 401 || status === 403)
    return made(
      'unavailable',
      `${at} refuses the credentials (HTTP ${status}). Correct the user and password in ${setting}.url, or ${setting}.token or ${setting}.headers, in sluice.yaml.`,
    );
  if (status >= 300 && status < 400)
    return made(
      'unavailable',
      `${at} redirects to another address. Set ${setting}.url in sluice.yaml to the address of the API itself.`,
    );
  // Traefik's API says in JSON what it did not find. Without it, the whole path is unknown.
  if (status === 404 && said !== undefined) return made('not_found', sentence(said));
  if (status === 404 && OFTEN_MISSING.test(path)) return made('not_found', `${at} does not offer ${path}.`);
  if (status === 404)
    return made(
      'unavailable',
      `${at} does not have Traefik's API. Enable it in Traefik's static configuration (api: { insecure: true }, or a router for api@internal), and correct ${setting}.url in sluice.yaml.`,
    );
  if (status === 400)
    return made('invalid_input', `${at} refuses the request: ${sentence(said)} Change it and try again.`);
  return made(
    'unavailable',
    `${at} answered with HTTP ${status}: ${sentence(said)} It may be starting: try again in a moment.`,
  );
}

/** Older versions have no middlewares for TCP. */
const OFTEN_MISSING = /^\/api\/tcp\/middlewares/;

function messageIn(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

const sentence = (said: string | undefined): string => {
  const text = shortened(maskedText((said ?? '').trim()), 300);
  if (text === '') return 'it gives no reason.';
  return /[.!?]$/.test(text) ? text : `${text}.`;
};
