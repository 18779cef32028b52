import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts';
import type { Progress } from '../../kernel/progress.ts';
import { type Allowed, allowed } from '../allowed.ts';
import type { AtMost } from '../at-most.ts';
import { addressOf, placeOf } from '../failures.ts';
import { type Asked, HttpError, httpTo, segment } from '../http.ts';
import type { Around } from '../module.ts';
import { retryAfter, untilAllowed } from '../rate-limited.ts';
import { serverEvents } from '../server-events.ts';
import { type Asker, explain, explainHttp, isMomentary } from './explain.ts';
import { type Answers, keptFor } from './kept.ts';
import { baseOf, DEFAULT_APP, type DifySettings } from './settings.ts';
import { type StreamEvent, streamEvent } from './stream-event.ts';

/** Dify's service API. */
export interface Dify extends AsyncDisposable {
  readonly at: string;
  readonly timeoutMs: number;
  /** The end user for whom everything is done. */
  readonly user: string;
  readonly appNames: readonly string[];
  readonly runs: AtMost;
  readonly answers: Answers;
  readonly datasets: Allowed;
  readonly hasKnowledge: boolean;
  /** The app of a call. Without a name, the only one, or that of apiKey. */
  app(name: string | undefined): App;
  /** The knowledge API. Throws if it has no key. */
  knowledge(): Api;
  /** The server's version; undefined if it does not tell. */
  version(signal: AbortSignal): Promise<string | undefined>;
}

/** What can be asked with one key. Each part of a path is a name as it is. */
export interface Api {
  get<T>(type: z.ZodType<T>, path: readonly string[], asked: Question): Promise<T>;
  /** For what answers with nothing of interest. */
  send(path: readonly string[], asked: Question): Promise<void>;
}

export interface App extends Api {
  readonly name: string;
  /**
   * Starts something and returns its events. When the signal is aborted, or the reader asks for it, Dify is told to stop:
   * without that it goes on and costs money.
   */
  events(path: readonly string[], asked: Stream): AsyncGenerator<StreamEvent>;
}

type Question = Omit<Asked, 'signal' | 'headers'> & {
  readonly signal: AbortSignal;
  readonly progress?: Progress | undefined;
};

interface Stream {
  readonly body: object;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Where a task is stopped. */
  stop(task: string): readonly string[];
}

const STOP_MS = 5000;
const USUAL_WAIT_MS = 2000;

export function connect(settings: DifySettings, { name, tls, timeoutMs }: Around): Dify {
  const setting = `modules.${name}`;
  const base = baseOf(settings.url);
  const at = `${name} at ${placeOf(addressOf(settings.url))}`;
  const http = httpTo({ base, tls });
  const pathOf = (path: readonly string[]) => `/${path.map(segment).join('/')}`;
  const stopping = new Set<Promise<unknown>>();
  const keys = new Map<string, { readonly key: string; readonly place: string }>([
    ...(settings.apiKey === undefined ? [] : [[DEFAULT_APP, { key: settings.apiKey, place: 'apiKey' }] as const]),
    ...Object.entries(settings.apps).map(([app, key]) => [app, { key, place: `apps.${app}` }] as const),
  ]);
  const appNames = [...keys.keys()];

  function apiOf(key: string, asker: Asker) {
    const headers = { authorization: `Bearer ${key}` };
    /** Waits if there are too many requests, and explains what is refused. */
    async function patient<T>(work: () => Promise<T>, { signal, progress }: Pick<Question, 'signal' | 'progress'>) {
      try {
        const waitOf = (error: HttpError) => (isMomentary(error) ? (retryAfter(error) ?? USUAL_WAIT_MS) : undefined);
        return await untilAllowed(work, { at, signal, progress, waitOf });
      } catch (error) {
        if (error instanceof HttpError) throw explainHttp(error, asker);
        throw error;
      }
    }
    const api: Api = {
      get: (type, path, { progress, ...asked }) =>
        patient(() => http.json(type, pathOf(path), { ...asked, headers }), { signal: asked.signal, progress }),
      async send(path, { progress, ...asked }) {
        await patient(() => http.text(pathOf(path), { ...asked, headers }), { signal: asked.signal, progress });
      },
    };
    return { api, headers, patient };
  }

  function appOf(app: string, key: string, asker: Asker): App {
    const { api, headers, patient } = apiOf(key, asker);
    return {
      ...api,
      name: app,
      async *events(path, { body, signal, progress, stop }) {
        let task: string | undefined;
        const halt = () => {
          if (task === undefined) return;
          const asked = {
            method: 'POST',
            body: { user: settings.user },
            signal: AbortSignal.timeout(STOP_MS),
          } as const;
          const told: Promise<unknown> = http
            .text(pathOf(stop(task)), { ...asked, headers })
            // It has ended by itself, or the service is away.
            .catch(() => {})
            .finally(() => stopping.delete(told));
          stopping.add(told);
          task = undefined;
        };
        signal.addEventListener('abort', halt, { once: true });
        try {
          const accept = { ...headers, accept: 'text/event-stream' };
          const asked = { method: 'POST', body, signal, headers: accept } as const;
          const answer = await patient(() => http.stream(pathOf(path), asked), { signal, progress });
          if (!/event-stream/i.test(answer.headers['content-type'] ?? '')) throw notEvents(asker);
          for await (const { data } of serverEvents(answer.body)) {
            const event = eventIn(data, asker);
            if (event.event === 'ping') continue;
            if (event.event === 'error') {
              task = undefined;
              const { status, code, message } = event;
              throw explain({ status: status ?? 500, code: code ?? undefined, message: message ?? '' }, asker);
            }
            task = event.task_id ?? task;
            yield event;
            if (event.event === 'message_end' || event.event === 'workflow_finished') task = undefined;
          }
          task = undefined;
        } finally {
          signal.removeEventListener('abort', halt);
          // The reader has seen enough, or the stream broke.
          halt();
        }
      },
    };
  }

  return {
    at,
    timeoutMs,
    user: settings.user,
    appNames,
    ...keptFor(settings, at, setting),
    datasets: allowed(settings.datasets, 'dataset', `${setting}.datasets`),
    hasKnowledge: settings.datasetKey !== undefined,
    app(given) {
      const [only] = appNames;
      const chosen = given ?? (keys.has(DEFAULT_APP) ? DEFAULT_APP : appNames.length === 1 ? only : undefined);
      const known = chosen === undefined ? undefined : keys.get(chosen);
      if (chosen !== undefined && known)
        return appOf(chosen, known.key, { at, setting, key: `${setting}.${known.place}` });
      if (appNames.length === 0)
        throw new AppError('unsupported', `No app has a key. Set ${setting}.apiKey or ${setting}.apps in sluice.yaml.`);
      if (chosen === undefined)
        throw new AppError('invalid_input', `Name an app: ${appNames.slice(0, 20).join(', ')}.`);
      throw new AppError(
        'not_found',
        `There is no app ${chosen.slice(0, 100)} in ${setting}.apps. ${didYouMean(nearestNames(chosen, appNames), 'dify_list_apps shows them.')}`,
      );
    },
    knowledge() {
      if (settings.datasetKey === undefined)
        throw new AppError(
          'unsupported',
          `Datasets need a key of their own. Set ${setting}.datasetKey in sluice.yaml: Dify shows it under Knowledge, API Access.`,
        );
      return apiOf(settings.datasetKey, { at, setting, key: `${setting}.datasetKey` }).api;
    },
    async version(signal) {
      try {
        const { server_version } = await http.json(index, '/', { signal });
        return server_version;
      } catch (error) {
        if (error instanceof HttpError) return undefined;
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stopping);
      await http[Symbol.asyncDispose]();
    },
  };
}

const index = z.object({ server_version: z.string().max(50).optional().catch(undefined) });

function eventIn(data: string, asker: Asker): StreamEvent {
  try {
    return streamEvent.parse(JSON.parse(data));
  } catch {
    throw notEvents(asker);
  }
}

const notEvents = ({ at, setting }: Asker): AppError =>
  new AppError(
    'unavailable',
    `${at} answered with something else than the events of Dify's API. Check that ${setting}.url leads to Dify itself and not to a proxy or a login page.`,
  );
