import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { Answer, N8nAddress } from './answer.ts';
import { featureIn, licenceText } from './licence.ts';
import type { Refused } from './refused.ts';
import { setWhere } from './set-where.ts';

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'unsupported',
  409: 'conflict',
  413: 'too_large',
  415: 'invalid_input',
  422: 'invalid_input',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
};

/** Turns a bad answer of n8n into an error that says what to do. */
export function errorFrom(address: N8nAddress, answer: Answer, method: string, path: string): AppError {
  const code = codes[answer.status] ?? 'internal';
  const said = messageIn(answer.body);
  const data = { status: answer.status, n8n: address.name, ...idIn(path) };
  const cause: Refused = { said };
  const error = (text: string, as: ErrorCode = code) => new AppError(as, text, { data, cause });
  if (answer.status === 401) {
    const what = isKeyless(address, path)
      ? `There is no API key for n8n (${address.name})`
      : `n8n (${address.name}) refused the API key`;
    return error(`${what}. Create one in n8n under Settings > n8n API and set ${setWhere(address.name, 'apiKey')}.`);
  }
  if (answer.status === 403 && /licen[cs]e/i.test(said)) {
    return new AppError('unsupported', licenceText(address.name, said), {
      data: { ...data, ...featureIn(said) },
      cause,
    });
  }
  if (answer.status === 403) {
    return error(
      `${notAllowed(address.name, said)} The API key may lack a scope: Settings > n8n API shows its scopes.`,
    );
  }
  if (answer.status === 413)
    return error(`The request is too large for n8n (${address.name}), which takes about 16 MB.`);
  // n8n's API says "not found" in JSON. Text means that n8n has not registered its routes yet, or that this is not n8n.
  if (answer.status === 404 && typeof answer.body === 'string') {
    return error(
      `n8n (${address.name}, ${address.url}) has no ${bare(path)}: it is still starting, its public API is switched off, or n8n.${address.name}.url is not the address of n8n. Try again in a few seconds.`,
      'unavailable',
    );
  }
  if (answer.status >= 300 && answer.status < 400) {
    return error(
      `${address.url} answers with a redirect. Set n8n.${address.name}.url to the address that it redirects to.`,
      'unavailable',
    );
  }
  return error(
    `n8n (${address.name}) answered ${answer.status} to ${method} ${bare(path)}: ${said || 'no reason given'}`,
  );
}

/** The error for a good answer that n8n does not give: its address leads to something else, such as a proxy's login. */
export const notN8n = ({ name, url }: N8nAddress, method: string, path: string): AppError =>
  new AppError(
    'unavailable',
    `${url} does not answer ${method} ${bare(path)} like n8n. Check that ${setWhere(name, 'url')} is the address of n8n, and that no login page is in front of its API.`,
    { data: { n8n: name } },
  );

export const notAllowed = (n8n: string, said: string): string =>
  `n8n (${n8n}) does not allow it: ${said || 'Forbidden'}.`;

const isKeyless = ({ headers }: N8nAddress, path: string): boolean =>
  path.startsWith('/api/') && headers['x-n8n-api-key'] === undefined;

/** The id in the path, as data for programs: `workflowId`, `executionId` and so on. */
function idIn(path: string): Record<string, string> {
  const [, kind, id] =
    /^\/api\/v1\/(workflow|execution|credential|tag|project|user|variable)s\/([^/?]+)/.exec(path) ?? [];
  return kind === undefined || id === undefined || id === 'schema' ? {} : { [`${kind}Id`]: decodeURIComponent(id) };
}

function messageIn(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message).slice(0, 1000);
  if (typeof body !== 'string') return '';
  const title = /<title>([^<]*)<\/title>|<pre>([^<]*)/i.exec(body);
  return (title?.[1] ?? title?.[2] ?? body).replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}

function bare(path: string): string {
  return path.split('?')[0] as string;
}
