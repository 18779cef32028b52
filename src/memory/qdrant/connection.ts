import { setTimeout as delay } from 'node:timers/promises';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { AppError } from '../../kernel/errors.ts';
import { addressOf } from './address.ts';
import { failureOf, isPassing, isRefusal } from './failure.ts';

export interface QdrantSettings {
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** What the names of the collections begin with. */
  readonly collection?: string;
  /** Milliseconds for one request. */
  readonly timeout?: number;
}

export type Api = ReturnType<QdrantClient['api']>;

export interface Connection {
  readonly place: string;
  /** Sends a request. Every request of the engine has the same effect if it arrives twice, so it is repeated. */
  send<T>(request: (api: Api) => Promise<{ readonly data: { readonly result?: T } }>): Promise<T>;
  version(): Promise<string>;
  close(): void;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
/** Before the second and the third attempt. A Qdrant that restarts takes longer, and then the caller is told. */
const RETRY_AFTER_MS: readonly number[] = [100, 500];

/** Says that a collection, or a point, is gone: somebody deleted it. */
export class Gone extends AppError {}

export async function connect(
  { url, apiKey, timeout = DEFAULT_TIMEOUT_MS }: QdrantSettings,
  retryAfterMs = RETRY_AFTER_MS,
): Promise<Connection> {
  const { origin, port, path, place } = addressOf(url);
  // Its HTTP client and 3 MB of types are loaded by those only who have a Qdrant.
  const { QdrantClient: Client } = await import('@qdrant/js-client-rest');
  const client = new Client({
    url: origin,
    port,
    ...(path !== '' && { prefix: path }),
    timeout,
    // Prints to the console. We compare versions ourselves.
    checkCompatibility: false,
    // As `apiKey` it prints a warning if the URL begins with http, as it does beside Qdrant on the same machine.
    ...(apiKey !== undefined && { headers: { 'api-key': apiKey } }),
  });
  const api = client.api();
  const closed = new AbortController();
  const hide = (text: string): string =>
    apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, '***');

  async function repeated<T>(request: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      if (closed.signal.aborted) throw new AppError('unavailable', 'Memory has been closed.');
      try {
        return await request();
      } catch (error) {
        const wait = retryAfterMs[attempt];
        if (wait === undefined || !isPassing(error)) {
          const failure = failureOf(error, { place, timeout, hide });
          if (isRefusal(error) && error.status === 404) throw new Gone('unavailable', failure.message);
          throw failure;
        }
        await delay(wait, undefined, { signal: closed.signal }).catch(() => {});
      }
    }
  }

  return {
    place,
    async send(request) {
      const { data } = await repeated(async () => request(api));
      if (data.result === undefined) throw new AppError('unavailable', `Qdrant at ${place} gave no result.`);
      return data.result;
    },
    async version() {
      const { data } = await repeated(async () => api.root({}));
      return typeof data.version === 'string' ? data.version : '';
    },
    close: () => closed.abort(),
  };
}
