import type { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { type Asked, HttpError, httpTo } from '../http.ts';
import type { Around, SettingsOf } from '../module.ts';
import type { Answer } from './answers.ts';
import { explain } from './explain.ts';
import { checkLookBack } from './look-back.ts';
import type { prometheusSettings } from './settings.ts';
import type { Limits } from './times.ts';

/** A server with Prometheus' API. */
export interface Prometheus extends AsyncDisposable {
  readonly limits: Limits;
  ask<T>(type: z.ZodType<Answer<T>>, path: string, asked: Question): Promise<Answer<T>>;
}

interface Question {
  readonly params?: Readonly<Record<string, string | number | undefined | readonly string[]>>;
  readonly signal: AbortSignal;
}

/** Longer parameters go into the body: proxies refuse long URLs. */
const MOST_IN_URL = 3000;
const MB = 1024 * 1024;
/** Reading more would keep everybody else waiting. */
const MOST_IN_QUERY = 8 * MB;
const MOST_IN_LIST = 16 * MB;

export function connectPrometheus(
  { url, token, headers, maxRange, maxPoints }: SettingsOf<typeof prometheusSettings>,
  { name, tls, timeoutMs }: Pick<Around, 'name' | 'tls' | 'timeoutMs'>,
): Prometheus {
  const setting = `modules.${name}`;
  const at = `${name} at ${new URL(url).host}`;
  const http = httpTo({
    base: url,
    tls,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  });
  const limits: Limits = { range: maxRange, points: maxPoints, setting };
  // Prometheus then stops when nobody waits any more.
  const timeout = `${Math.max(1, Math.ceil(timeoutMs / 1000))}s`;

  return {
    limits,
    async ask(type, path, { params = {}, signal }) {
      const query = typeof params.query === 'string' ? params.query : undefined;
      if (query !== undefined) checkLookBack(query, limits);
      const mostBytes = query === undefined ? MOST_IN_LIST : MOST_IN_QUERY;
      const given = { ...params, ...(query !== undefined && { timeout }) };
      try {
        return await http.json(type, path, { ...inUrlOrBody(path, given), mostBytes, signal });
      } catch (error) {
        if (error instanceof HttpError) throw explain(error, { path, query, at, setting });
        if (error instanceof AppError && error.code === 'too_large')
          throw new AppError(
            'too_large',
            `The answer of ${at} has more than ${mostBytes / MB} MB. ${query === undefined ? 'Ask for less: use match or narrower filters.' : 'Ask for fewer series: select with labels, or aggregate with topk(10, …) or sum by (label) (…).'}`,
            { cause: error },
          );
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

function inUrlOrBody(path: string, given: NonNullable<Question['params']>): Asked {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as string[]) : [value]).flatMap((one) =>
      one === undefined ? [] : [[name, String(one)] as [string, string]],
    ),
  );
  const length = pairs.reduce((sum, [, value]) => sum + value.length, 0);
  // Label values can only be asked for with GET.
  if (length <= MOST_IN_URL || path.includes('/label/')) return { query: given };
  return { method: 'POST', body: new URLSearchParams(pairs) };
}
