import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { HttpError } from '../http.ts';
import { shortened } from '../shown.ts';
import { maskedText } from './masked.ts';

/** What was asked, for errors. */
export interface Question {
  /** Such as `/api/v1/query`. */
  readonly path: string;
  /** The query, if it is one. */
  readonly query?: string | undefined;
  /** The service with its place: `prometheus at 127.0.0.1:9090`. */
  readonly at: string;
  /** Where its section is in the file. */
  readonly setting: string;
}

const MOST = 600;

const refusal = z.object({ errorType: z.string().optional(), error: z.string().optional() });

/** What Prometheus, or a proxy before it, says about a request that it refuses. */
export function explain(error: HttpError, { path, query, at, setting }: Question): AppError {
  const { status } = error;
  const { errorType, said } = read(error.body);
  const made = (code: ConstructorParameters<typeof AppError>[0], text: string) =>
    new AppError(code, text, { cause: error });
  if (errorType === 'bad_data') return made('invalid_input', badQuery(said, query));
  if (errorType === 'execution')
    return made('invalid_input', `The query cannot be evaluated: ${sentence(said)} Change it and try again.`);
  if (errorType === 'timeout' || errorType === 'canceled')
    return made(
      'timeout',
      `${at} stopped the query because it took too long. Ask for a shorter range or fewer series: select with labels, or use a recording rule.`,
    );
  if (status === 401 || status === 403)
    return made(
      'unavailable',
      `${at} refuses the credentials (HTTP ${status}). Correct the user and password in ${setting}.url, or ${setting}.token or ${setting}.headers, in sluice.yaml.`,
    );
  if (status >= 300 && status < 400)
    return made(
      'unavailable',
      `${at} redirects to another address. Set ${setting}.url in sluice.yaml to the address of the API itself, with its path.`,
    );
  if (status === 404 && path === QUERY)
    return made(
      'unavailable',
      `${at} does not have Prometheus' API. Correct ${setting}.url in sluice.yaml; the API may be below a path, as with Mimir: https://mimir.example.com/prometheus.`,
    );
  if (status === 404 || status === 405 || status === 501)
    return made(
      'unsupported',
      `${at} does not offer ${path}. Not every server with Prometheus' API does. prometheus_query works on all of them.`,
    );
  if (status === 429) return made('rate_limited', `${at} gets too many requests: ${sentence(said)} Try again later.`);
  if (status === 422 || status === 400 || status === 413)
    return made('invalid_input', `${at} refuses the request: ${sentence(said)} Change it and try again.`);
  return made(
    'unavailable',
    `${at} answered with HTTP ${status}: ${sentence(said)} It may be starting: try again in a moment.`,
  );
}

export const QUERY = '/api/v1/query';

function read(body: string): { errorType?: string | undefined; said: string } {
  try {
    const { errorType, error = '' } = refusal.parse(JSON.parse(body));
    return { errorType, said: error };
  } catch {
    // A page of a proxy, or a text.
    return { said: /^\s*</.test(body) ? '' : body };
  }
}

const sentence = (said: string): string => {
  const text = shortened(maskedText(said.trim()), MOST);
  if (text === '') return 'it gives no reason.';
  return /[.!?]$/.test(text) ? text : `${text}.`;
};

const NEAR = 20;

/** Shows where in the query the error is. */
export function badQuery(said: string, query: string | undefined): string {
  const plain = said.replace(/^invalid parameter "([\w[\]]+)": /, '');
  const [, line, column, what] = /^(\d+):(\d+): (?:parse error: )?([\s\S]*)$/.exec(plain) ?? [];
  if (query === undefined || line === undefined || column === undefined || what === undefined)
    return `Prometheus refuses the request: ${sentence(plain)} Change it and try again.`;
  const at = Number(column) - 1;
  const text = query.split('\n')[Number(line) - 1] ?? '';
  const near = text.slice(Math.max(0, at - NEAR), at + NEAR).trim();
  const place = near === '' ? 'at the end' : `near \`${near}\``;
  return `PromQL error in line ${line}, column ${column}, ${place}: ${sentence(what)} Correct the query.`;
}
