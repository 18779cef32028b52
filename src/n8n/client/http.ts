import { setTimeout as delay } from 'node:timers/promises';
import { callerNow } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { untilPresent } from '../../kernel/presence.ts';
import { bodyOf } from './body.ts';
import type { Answer, Ask, N8nAddress } from './answer.ts';
import { errorFrom, notN8n } from './http-errors.ts';
import { logRequest } from './request-log.ts';
import { saysItStarts } from './starting.ts';
import { unreached } from './unreached.ts';
import { writtenBy } from './written.ts';

const ATTEMPTS = 3;
/** A page of 250 workflows, or an execution with its data, may be large. */
const LARGEST = 64_000_000;
const passing: ReadonlySet<number> = new Set([502, 503, 504]);

/** Adds to an error what n8n itself does not say. */
export type Explain = (error: AppError, method: string, path: string) => Promise<AppError>;

/** HTTP to one n8n, with timeouts and retries. Every failure becomes an AppError that says what to do. */
export function createN8nHttp(address: N8nAddress, explain?: Explain) {
  async function once(method: string, path: string, ask: Ask): Promise<Answer> {
    const limit = AbortSignal.timeout(ask.timeoutMs ?? address.timeoutMs);
    const form = ask.body instanceof FormData;
    const url = urlOf(address.url, path, ask.query);
    const started = performance.now();
    const note = (answered: { status: number; bytes: number } | undefined) => {
      const ms = performance.now() - started;
      if (address.log)
        logRequest(address.log, { instance: address.name, method, path, query: ask.query, ms, ...answered });
    };
    let response: Response;
    let text: string | undefined;
    const largest = ask.largest ?? LARGEST;
    try {
      response = await fetch(url, {
        method,
        redirect: 'manual',
        signal: ask.signal ? AbortSignal.any([ask.signal, limit]) : limit,
        headers: {
          accept: 'application/json',
          ...(ask.body !== undefined && !form && { 'content-type': 'application/json' }),
          ...address.headers,
          ...ask.headers,
        },
        ...(ask.body !== undefined && { body: form ? ask.body : JSON.stringify(ask.body) }),
      });
      text = await bodyOf(response, largest);
    } catch (error) {
      note(undefined);
      if (!ask.signal?.aborted) address.heard?.(false);
      throw unreached(address, error, limit, ask.signal, method !== 'GET' && !ask.repeatable);
    }
    if (text === undefined) {
      note(undefined);
      throw new AppError(
        'too_large',
        `n8n (${address.name}) answered ${response.status} with more than ${Math.round(largest / 1_000_000)} MB. Ask for less, for example with a smaller limit.`,
      );
    }
    const status = response.ok && saysItStarts(text) ? 503 : response.status;
    note({ status, bytes: text.length });
    address.heard?.(!passing.has(status));
    const body = parsed(text);
    const written = response.ok && callerNow()?.source === 'n8n' ? writtenBy(method, path, body) : undefined;
    if (written) address.wrote?.(written);
    return { status, headers: response.headers, body };
  }

  /** Returns any answer, good or bad. Throws only if there is none. */
  async function send(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    if (address.presence) await untilPresent(address.presence, ask.signal);
    for (let attempt = 1; ; attempt++) {
      const last = (method !== 'GET' && !ask.repeatable) || attempt === ATTEMPTS;
      try {
        const answer = await once(method, path, ask);
        if (last || !passing.has(answer.status)) return answer;
      } catch (error) {
        if (last || !(error instanceof AppError) || error.code !== 'unavailable') throw error;
      }
      await delay(200 * 2 ** attempt, undefined, ask.signal ? { signal: ask.signal } : {});
    }
  }

  /** The error for a bad answer, with an explanation if there is one. */
  async function refusal(answer: Answer, method: string, path: string): Promise<AppError> {
    const error = errorFrom(address, answer, method, path);
    return (await explain?.(error, method, path)) ?? error;
  }

  return {
    address,
    send,
    refusal,
    /** Returns the body of a good answer. Throws for any other. */
    async ask(method: string, path: string, ask: Ask = {}): Promise<unknown> {
      const answer = await send(method, path, ask);
      if (answer.status >= 200 && answer.status < 300) {
        if (isPage(answer.body)) throw notN8n(address, method, path);
        return answer.body;
      }
      throw await refusal(answer, method, path);
    },
  };
}

/** The API of n8n answers with JSON. */
export const isPage = (body: unknown): boolean => typeof body === 'string' && body.trimStart().startsWith('<');

export type N8nHttp = ReturnType<typeof createN8nHttp>;

function urlOf(base: string, path: string, query: Ask['query'] = {}): string {
  // URL resolves these segments, so an id like that would address something else.
  if (path.split('/').some((part) => part === '.' || part === '..')) {
    throw new AppError('not_found', `Nothing has the id "." or "..".`);
  }
  const url = new URL(`${base.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  // n8n refuses some parameters that contain a plain + or *, which URLSearchParams writes for a space and a star.
  url.search = url.search.replaceAll('+', '%20').replaceAll('*', '%2A');
  return url.href;
}

/** Not every answer is JSON: n8n sends HTML if a body is too large or not JSON, and so does a proxy if n8n is down. */
function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}
