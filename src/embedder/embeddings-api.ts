import { setTimeout as delay } from 'node:timers/promises';
import { AppError, messageOf } from '../kernel/errors.ts';
import { own } from '../kernel/own.ts';
import { backoff, retryAfterMs } from '../kernel/retry.ts';
import { createHttpClient, readText } from '../wire/http-client.ts';

export interface ApiOptions {
  /** What `/embeddings` is appended to. */
  readonly url: string;
  readonly apiKey?: string;
  readonly timeoutMs?: number;
  readonly retry?: { readonly first: number; readonly most: number };
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** How often to try. */
  readonly attempts: number;
  /** How long all attempts may take together. */
  readonly withinMs?: number;
}

const TIMEOUT_MS = 60_000;
const RETRY = { first: 500, most: 8000 };
/** The API that asks for a longer wait gets no retry: nobody should wait so long for an answer. */
const LONGEST_WAIT_MS = 60_000;
/** 64 vectors with 16,000 dimensions. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_SAID = 200;

type Answer = { readonly status: number; readonly text: string; readonly retryAfter: string | undefined };

const passing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Requests to `POST /embeddings` of an API like OpenAI's, with retries. Errors say what to do and never hold the key. */
export function createEmbeddingsApi({ url, apiKey, timeoutMs = TIMEOUT_MS, retry = RETRY }: ApiOptions) {
  const target = endpointOf(url);
  const shown = `${target.origin}${target.pathname}`;
  const client = createHttpClient({ url: target });

  function once(body: string, signal: AbortSignal | undefined, ms: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      };
      const limit = AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]);
      const stop = () => sent.destroy();
      const failed = (why: string) => {
        limit.removeEventListener('abort', stop);
        reject(limit.aborted && !signal?.aborted ? new Error(`no answer within ${ms / 1000} s`) : new Error(why));
      };
      const sent = client.request(
        target,
        { method: 'POST', headers, body },
        (response) =>
          void readText(response, MOST_BYTES).then((text) => {
            if (text === undefined || !response.complete)
              return failed(text === undefined ? 'its answer is too large' : 'its answer was cut off');
            limit.removeEventListener('abort', stop);
            resolve({ status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] });
          }),
        (error) => failed(messageOf(error)),
      );
      limit.addEventListener('abort', stop, { once: true });
      if (limit.aborted) stop();
    });
  }

  /** The server may quote what it was sent. */
  const safe = (text: string): string =>
    (apiKey === undefined ? text : text.replaceAll(apiKey, '***')).slice(0, MOST_SAID);

  function refusal({ status, text }: Answer): AppError {
    const said = saidIn(text);
    const quote = said === undefined ? '' : ` It says: ${safe(said)}`;
    if (status === 401 || status === 403) {
      const fix = apiKey === undefined ? 'Write its key as apiKey.' : 'Check apiKey.';
      return new AppError('invalid_input', `${shown} denied access (HTTP ${status}). ${fix}`);
    }
    if (status === 404 || status === 405) {
      const fix = 'Check url, without /embeddings at its end, and model.';
      return new AppError('invalid_input', `${shown} was not found (HTTP ${status}). ${fix}${quote}`);
    }
    if (status >= 300 && status < 400)
      return new AppError('invalid_input', `${shown} redirects (HTTP ${status}). Write the final URL as url.`);
    if (passing(status)) return new AppError('unavailable', `${shown} failed (HTTP ${status}).${quote}`);
    return new AppError('invalid_input', `${shown} refused the request (HTTP ${status}).${quote}`);
  }

  return {
    shown,
    /** Returns the parsed body of a good answer. */
    async ask(request: object, { signal, attempts, withinMs }: AskOptions): Promise<unknown> {
      const body = JSON.stringify(request);
      const end = withinMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + withinMs;
      for (let attempt = 1; ; attempt++) {
        signal?.throwIfAborted();
        const answer = await once(body, signal, Math.max(1, Math.min(timeoutMs, end - Date.now()))).catch(
          (error: unknown) => {
            signal?.throwIfAborted();
            return new AppError('unavailable', `${shown} cannot be reached: ${safe(messageOf(error))}`, {
              cause: error,
            });
          },
        );
        if (!(answer instanceof Error) && answer.status >= 200 && answer.status < 300)
          return parsed(answer.text, shown);
        const error = answer instanceof Error ? answer : refusal(answer);
        const asked = answer instanceof Error || answer.retryAfter === undefined ? 0 : retryAfterMs(answer.retryAfter);
        const waitMs = Math.max(asked ?? 0, backoff(attempt, retry));
        const isFinal = !(answer instanceof Error) && (!passing(answer.status) || hasNoQuota(answer.text));
        if (isFinal || attempt >= attempts || waitMs > LONGEST_WAIT_MS || Date.now() + waitMs >= end) throw error;
        await delay(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
      }
    },
  };
}

function endpointOf(url: string): URL {
  const target = new URL(url);
  const path = target.pathname.replace(/\/+$/, '');
  target.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  return target;
}

function parsed(text: string, shown: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const fix = 'Check url: an API like OpenAI’s is at /v1.';
    throw new AppError('invalid_input', `${shown} does not answer with JSON. ${fix}`, { cause: error });
  }
}

/** `{ error: { message } }` of OpenAI, `{ error: "…" }` and `{ message: "…" }` of others. */
function saidIn(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { error?: unknown; message?: unknown };
    const error = body.error ?? body;
    const said = typeof error === 'object' && error !== null ? own(error as Record<string, unknown>, 'message') : error;
    return typeof said === 'string' ? said : undefined;
  } catch {
    return undefined;
  }
}

/** OpenAI answers 429 to an account without money, too. Waiting does not help. */
const hasNoQuota = (text: string): boolean => text.includes('insufficient_quota');
