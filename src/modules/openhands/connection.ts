import type { z } from 'zod';
import type { Progress } from '../../kernel/progress.ts';
import { type Allowed, allowed } from '../allowed.ts';
import { type AtMost, atMost } from '../at-most.ts';
import { addressOf, placeOf } from '../failures.ts';
import { type Asked, HttpError, httpTo, segment } from '../http.ts';
import type { Around } from '../module.ts';
import { untilAllowed } from '../rate-limited.ts';
import { explain } from './explain.ts';
import type { OpenhandsSettings } from './settings.ts';

/** The V1 API of an OpenHands app server. */
export interface OpenHands extends AsyncDisposable {
  readonly at: string;
  readonly setting: string;
  readonly timeoutMs: number;
  readonly repositories: Allowed;
  /** Whether conversations are limited to repositories. */
  readonly isLimited: boolean;
  readonly concurrency: number;
  readonly workspace: string;
  readonly starts: Starts;
  /** `path` is below /api/v1; each part is a name as it is. */
  ask<T>(type: z.ZodType<T>, path: readonly string[], asked: Question): Promise<T>;
}

/** What outlives a connection, which is closed when nobody uses it. */
interface Starts {
  /** One counts at a time, so that two cannot take the last place. */
  readonly counting: AtMost;
  /** How many have a place and are not yet counted by the server. */
  pending: number;
}

type Question = Omit<Asked, 'signal' | 'headers'> & {
  readonly signal: AbortSignal;
  readonly progress?: Progress | undefined;
};

const kept = new WeakMap<OpenhandsSettings, Starts>();

export function connect(settings: OpenhandsSettings, { name, tls, timeoutMs }: Around): OpenHands {
  const { url, apiKey, repositories, concurrency, workspace } = settings;
  const setting = `modules.${name}`;
  const at = `${name} at ${placeOf(addressOf(url))}`;
  const http = httpTo({
    base: url,
    tls,
    // The cloud takes the first, a server of one's own the second.
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}`, 'x-session-api-key': apiKey },
  });
  const starts = kept.get(settings) ?? { counting: atMost(1, at, `${setting}.concurrency`), pending: 0 };
  kept.set(settings, starts);
  return {
    at,
    setting,
    timeoutMs,
    repositories: allowed(repositories, 'repository', `${setting}.repositories`),
    isLimited: repositories !== undefined,
    concurrency,
    workspace: workspace.replace(/\/+$/, ''),
    starts,
    async ask(type, path, { progress, ...asked }) {
      const work = () => http.json(type, `/api/v1/${path.map(segment).join('/')}`, asked);
      try {
        return await untilAllowed(work, { at, signal: asked.signal, progress });
      } catch (error) {
        if (error instanceof HttpError) throw explain(error, { at, setting });
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}
