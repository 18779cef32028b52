/** What a file of this folder contributes: handlers by operation, such as `GET /repos/{owner}/{repo}`. */
import type { Request } from './contract.ts';
import { fullName, type Repository, type World } from './world.ts';

export interface Asked extends Request {
  readonly params: Readonly<Record<string, string>>;
  /** Who asks; undefined without a token. */
  readonly login: string | undefined;
}

export interface Reply {
  readonly status?: number;
  /** Sent as JSON and held against the description. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: Buffer;
  /** The media type; default application/json. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A topic keeps what it needs in its own variables: it is called once for each stand-in. */
export type Topic = (world: World) => Readonly<Record<string, (asked: Asked) => Reply>>;

/** GitHub refuses the request. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(status: number, message: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    const body = { message, ...more, documentation_url: 'https://docs.github.com/rest', status: String(status) };
    this.reply = { status, body, headers };
  }
}

/** The repository of a path, as far as the caller may see it. Throws the redirect of one that was renamed. */
export function repositoryIn(world: World, { params, login, path }: Asked): Repository {
  const name = `${params.owner}/${params.repo}`;
  const former = world.formerNames.get(name.toLowerCase());
  if (former) {
    const location = `${world.base}${path.replace(/^\/repos\/[^/]+\/[^/]+/, `/repositories/${former.id}`)}`;
    throw new Refusal(301, 'Moved Permanently', { url: location }, { location });
  }
  const found = world.find(name);
  if (!found || (found.isPrivate && login === undefined)) throw new Refusal(404, 'Not Found');
  return found;
}

/** The same, for a caller who wants to change something. */
export function writableIn(world: World, asked: Asked): Repository {
  if (asked.login === undefined) throw new Refusal(401, 'Requires authentication');
  const found = repositoryIn(world, asked);
  if (asked.login === 'reader')
    throw new Refusal(
      403,
      'Resource not accessible by personal access token',
      {},
      { 'x-accepted-github-permissions': 'contents=write' },
    );
  return found;
}

/** One page of a list, with the Link header. */
export function pageOf<T>(
  world: World,
  { path, query }: Asked,
  items: readonly T[],
): { items: T[]; headers: Record<string, string> } {
  const size = Number(query.get('per_page') ?? 30);
  const page = Number(query.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (number: number, rel: string) => {
    const params = new URLSearchParams(query);
    params.set('page', String(number));
    return `<${world.base}${path}?${params.toString()}>; rel="${rel}"`;
  };
  const links = page < last ? [link(page + 1, 'next'), link(last, 'last')] : [];
  return {
    items: items.slice((page - 1) * size, page * size),
    headers: links.length > 0 ? { link: links.join(', ') } : {},
  };
}

export const html = (repository: Repository, rest = ''): string => `https://github.com/${fullName(repository)}${rest}`;
