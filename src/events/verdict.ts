/** What came of sending events. */
export type Answer = { status: number; retryAfter?: string | undefined } | { failure: string };

/**
 * What an answer says of the events: they were taken, they are at fault, or the receiver is not there.
 * Only what is at fault is ever given up.
 */
export type Verdict =
  | { kind: 'accepted' }
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string; waitMs?: number };

// An address that is wrong or guarded says nothing about the event: n8n answers 404 while a workflow is not active.
const NOT_THE_EVENTS_FAULT: Readonly<Record<number, string>> = {
  401: 'it asks for credentials: check secret and headers',
  403: 'it does not let us in: check secret and headers',
  404: 'nobody is at that path: check the address, and that the workflow is active',
  405: 'it takes no POST: check the method of the webhook',
  407: 'a proxy asks for credentials',
  408: 'it waited too long',
  410: 'it is gone: check the address',
  421: 'it is not responsible for that address',
  425: 'too early',
  429: 'too many requests',
};

const LONGEST_WAIT_MS = 3_600_000;

export function verdictOn(answer: Answer, now: number = Date.now()): Verdict {
  if ('failure' in answer) return { kind: 'unavailable', reason: answer.failure };
  const { status, retryAfter } = answer;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  const waitMs = retryAfter === undefined ? undefined : waitOf(retryAfter, now);
  const unavailable = (why?: string): Verdict => ({
    kind: 'unavailable',
    reason: `HTTP ${status}${why === undefined ? '' : `: ${why}`}`,
    ...(waitMs !== undefined && { waitMs }),
  });
  if (status >= 300 && status < 400) return unavailable('it redirects, which is not followed: name the final address');
  if (status >= 400 && status < 500 && !Object.hasOwn(NOT_THE_EVENTS_FAULT, status))
    return { kind: 'refused', reason: `HTTP ${status}` };
  return unavailable(NOT_THE_EVENTS_FAULT[status]);
}

/** Retry-After, in seconds or as a date. */
function waitOf(given: string, now: number): number | undefined {
  const ms = /^\s*\d+\s*$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}

/** How long to wait after so many failures in a row: twice as long each time, and never all at the same moment. */
export function backoff(
  failures: number,
  { first, most }: { first: number; most: number },
  random: () => number = Math.random,
): number {
  const full = Math.min(first * 2 ** Math.min(failures - 1, 30), most);
  return Math.round(full * (0.5 + random() / 2));
}
