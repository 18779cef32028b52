import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import { type Answered, type Asked, HttpError, httpTo, segment } from '../http.ts';
import type { Around } from '../module.ts';
import { untilAllowed } from '../rate-limited.ts';
import { apiBase } from './api-base.ts';
import { readAll, readJson, type Streamed } from './answer.ts';
import { explain } from './explain.ts';
import { foreign } from './foreign.ts';
import { waitOf } from './rate-limit.ts';
import { isRedirect, movedTo } from './redirect.ts';
import { type Repositories, repositoriesIn } from './repositories.ts';
import type { GithubSettings } from './settings.ts';

/** Below the API's base; each part is a name as it is: `['repos', 'acme', 'shop', 'branches']`. */
export type Path = readonly string[];

export interface Question extends Pick<Asked, 'method' | 'query' | 'body' | 'headers' | 'mostBytes'> {
  readonly signal: AbortSignal;
  /** Told if GitHub limits requests and the call waits. */
  readonly progress?: Progress | undefined;
}

/** GitHub's REST API. Paths of repositories that are not allowed are refused before anything is sent. */
export interface GitHub extends AsyncDisposable {
  /** The service with its place, for errors. */
  readonly at: string;
  /** Where its section is in the file: `modules.github`. */
  readonly setting: string;
  /** Without a token. */
  readonly isAnonymous: boolean;
  readonly repositories: Repositories;
  /** The answer, checked. An empty one (204) is undefined. */
  json<T>(type: z.ZodType<T>, path: Path, question: Question): Promise<T>;
  /** The same with its headers, which have the next page, scopes and limits. */
  answer<T>(type: z.ZodType<T>, path: Path, question: Question): Promise<Pick<Answered, 'headers'> & { data: T }>;
  /** For diffs and patches, which have media types of their own. */
  text(path: Path, question: Question): Promise<string>;
  /**
   * The answer piece by piece, for raw files, logs and archives. If GitHub redirects to a signed URL of another host,
   * that is fetched without the token. Stop reading to end it; `partOf` reads a part.
   */
  stream(path: Path, question: Question): Promise<Streamed>;
}

const named = z.object({ full_name: z.string().regex(/^[\w-]+\/[\w.-]+$/) });

const MB = 1024 * 1024;
const MOST_BYTES = 16 * MB;
const MOST_HOPS = 2;

export function connectGithub(
  { url, token, repositories: globs }: GithubSettings,
  { name, tls }: Pick<Around, 'name' | 'tls'>,
): GitHub {
  const base = apiBase(url);
  const at = `${name} at ${new URL(base).host}`;
  const setting = `modules.${name}`;
  const isAnonymous = token === undefined;
  const repositories = repositoriesIn(globs, setting);
  const http = httpTo({
    base,
    tls,
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });

  function need(path: Path): void {
    if (path[0] === 'repos') repositories.need(path.slice(1, 3).join('/'));
  }

  /** Sends it, and waits if GitHub limits requests. Throws HttpError for other refusals. */
  async function sent(path: Path, { progress, ...asked }: Question): Promise<Streamed> {
    need(path);
    const { signal } = asked;
    try {
      return await untilAllowed(() => http.stream(`/${path.map(segment).join('/')}`, asked), {
        at,
        signal,
        progress,
        waitOf,
      });
    } catch (error) {
      if (!isAnonymous || !(error instanceof AppError) || error.code !== 'rate_limited') throw error;
      throw new AppError(
        'rate_limited',
        `${error.message} Without a token GitHub allows 60 requests an hour, and 10 searches a minute: set ${setting}.token for more.`,
        { cause: error, saysWhen: true },
      );
    }
  }

  async function nameOf(id: string, question: Question): Promise<string> {
    const { body } = await sent(['repositories', id], question);
    const said = (await readAll(body, MB, at)).toString('utf8');
    return readJson(named, said, { at, setting }).full_name;
  }

  /** Where a renamed repository or branch is now, if the new name is allowed, too. */
  async function renamed(path: Path, error: HttpError, { method = 'GET', signal, progress }: Question): Promise<Path> {
    const moved = movedTo(error, base);
    if (!moved || path[0] !== 'repos') throw error;
    const full = 'name' in moved ? moved.name : await nameOf(moved.id, { signal, progress });
    const old = path.slice(1, 3).join('/');
    if (!repositories.has(full))
      throw new AppError(
        'forbidden',
        `${old} is now called ${full}, which is out of reach: ${setting}.repositories in sluice.yaml does not allow it.`,
      );
    if (method !== 'GET')
      throw new AppError('conflict', `${old} is now called ${full}. Nothing was done: repeat the call with that name.`);
    return ['repos', ...full.split('/'), ...moved.rest];
  }

  /** `outside` fetches from another host what GitHub redirects to. */
  async function open(
    path: Path,
    question: Question,
    outside?: (redirect: HttpError) => Promise<Streamed | undefined>,
  ) {
    let current = path;
    for (let hop = 1; ; hop += 1) {
      try {
        return await sent(current, question);
      } catch (error) {
        try {
          if (!(error instanceof HttpError) || !isRedirect(error) || hop > MOST_HOPS) throw error;
          const found = await outside?.(error);
          if (found) return found;
          current = await renamed(current, error, question);
        } catch (failure) {
          if (!(failure instanceof HttpError)) throw failure;
          throw explain(failure, { path: current.join('/'), at, setting, isAnonymous });
        }
      }
    }
  }

  async function text(path: Path, question: Question) {
    const { body, headers } = await open(path, question);
    const bytes = await readAll(body, question.mostBytes ?? MOST_BYTES, at);
    return { text: bytes.toString('utf8'), headers };
  }

  async function answer<T>(type: z.ZodType<T>, path: Path, question: Question) {
    const { text: said, headers } = await text(path, question);
    return { data: readJson(type, said, { at, setting }), headers };
  }

  return {
    at,
    setting,
    isAnonymous,
    repositories,
    answer,
    json: async (type, path, question) => (await answer(type, path, question)).data,
    text: async (path, question) => (await text(path, question)).text,
    stream: (path, question) =>
      open(path, question, (error) => foreign(error, { base, at, tls, signal: question.signal })),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}
