import { retryAfterMs } from '../kernel/retry.ts';

/** The HTTP answer, or why there was none. */
export type Answer = { status: number; retryAfter?: string | undefined } | { failure: string };

/**
 * What an answer says about the events: accepted, refused because of the events, or receiver unavailable. Only refused
 * events are ever given up.
 */
export type Verdict =
  | { kind: 'accepted' }
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string; waitMs?: number };

// A wrong or protected URL says nothing about the event: n8n answers 404 while a workflow is not active.
const NOT_THE_EVENTS_FAULT: Readonly<Record<number, string>> = {
  401: 'it requires credentials: check secret and headers',
  403: 'access denied: check secret and headers',
  404: 'nothing at that path: check the URL, and that the workflow is active',
  405: 'it does not accept POST: check the method of the webhook',
  407: 'a proxy requires credentials',
  408: 'request timeout',
  410: 'gone: check the URL',
  421: 'it does not serve that host',
  425: 'too early',
  429: 'too many requests',
};

export function verdictOn(answer: Answer, now: number = Date.now()): Verdict {
  if ('failure' in answer) return { kind: 'unavailable', reason: answer.failure };
  const { status, retryAfter } = answer;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  const waitMs = retryAfter === undefined ? undefined : retryAfterMs(retryAfter, now);
  const unavailable = (why?: string): Verdict => ({
    kind: 'unavailable',
    reason: `HTTP ${status}${why === undefined ? '' : `: ${why}`}`,
    ...(waitMs !== undefined && { waitMs }),
  });
  if (status >= 300 && status < 400)
    return unavailable('it redirects, and Sluice does not follow redirects: configure the final URL');
  if (status >= 400 && status < 500 && !Object.hasOwn(NOT_THE_EVENTS_FAULT, status))
    return { kind: 'refused', reason: `HTTP ${status}` };
  return unavailable(NOT_THE_EVENTS_FAULT[status]);
}
