import { AppError } from '../../kernel/errors.ts';
import { HttpError } from '../http.ts';
import { maskedText } from './masked.ts';

/** What was asked, without what came from the caller. */
export interface Request {
  readonly method: string;
  readonly path: string;
}

/** What Docker or a proxy before it refused, for the reader who can act on it. */
export function refusal(error: HttpError, request: Request, setting: string): AppError {
  const said = maskedText(messageIn(error.body)).slice(0, 600);
  const made = (code: ConstructorParameters<typeof AppError>[0], text: string) =>
    new AppError(code, text, { cause: error });
  if (/HTTP request to an HTTPS server/i.test(error.body))
    return made('unavailable', `Docker expects TLS. Write https:// in ${setting}.url, and set ca, cert and key.`);
  switch (error.status) {
    case 400:
      return made('invalid_input', `Docker refused this: ${said}`);
    case 401:
      return made(
        'unavailable',
        `Docker, or a proxy before it, wants a login. Put user and password into ${setting}.url.`,
      );
    case 403:
      return made('forbidden', forbidden(request, said));
    case 404:
      return made('not_found', said);
    case 405:
    case 501:
      return made(
        'unsupported',
        `This Docker, or the proxy before it, does not offer ${request.method} ${endpoint(request.path)}: ${said}`,
      );
    case 409:
      return made('conflict', `Docker refused this: ${said}`);
    case 502:
    case 503:
    case 504:
      return made('unavailable', `The proxy does not reach Docker (HTTP ${error.status}). Check that Docker runs.`);
    default:
      return made('conflict', `Docker could not do this: ${said}`);
  }
}

/** Docker's message, or the text of a page that a proxy sends. */
function messageIn(body: string): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not JSON: a proxy answered.
  }
  const text = body
    .replace(/<[^>]{0,200}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? 'it gave no reason' : text;
}

/** `/containers/4f…/restart` as documented: `/containers/{id}/restart`. */
const endpoint = (path: string): string =>
  path
    .replace(/^\/v\d+\.\d+/, '')
    .replace(/^\/(containers|networks|volumes|exec)\/(?!json$|create$|prune$)[^/]+/, '/$1/{id}')
    .replace(/^\/images\/(?!json$|create$|prune$|load$).+?(?=\/json$|\/tag$|$)/, '/images/{name}');

/** A socket proxy allows endpoints by variables. Their names are those of tecnativa/docker-socket-proxy. */
function forbidden({ method, path }: Request, said: string): string {
  const short = endpoint(path);
  const area = (short.split('/')[1] ?? '').toUpperCase();
  const variables = [
    ...(area === '' ? [] : [`${area}=1`]),
    ...(method === 'GET' || method === 'HEAD' ? [] : ['POST=1']),
  ];
  // A container's commands are made under /containers.
  if (short.endsWith('/exec')) variables.unshift('EXEC=1');
  return `${method} ${short} is forbidden (${said}). If a socket proxy is in between, allow it there: ${variables.join(' and ')}.`;
}

/** Errors of the socket that Docker's users know. */
export function explain(error: unknown, at: string): AppError | undefined {
  const { code, address } = error as { code?: unknown; address?: unknown };
  if (code === 'EACCES' && typeof address === 'string')
    return new AppError(
      'unavailable',
      `${at} may not be opened by this user. Add the user to the group docker, or run a socket proxy and set modules.docker.url to it.`,
      { cause: error },
    );
  if (error instanceof HttpError)
    return new AppError(
      'unavailable',
      `${at} answered with HTTP ${error.status}. Check that modules.docker.url leads to Docker.`,
      {
        cause: error,
      },
    );
  return undefined;
}
