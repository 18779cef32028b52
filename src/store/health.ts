import type { Health } from '../kernel/health.ts';
import type { BufferedEventLog } from './event-log.ts';
import type { StoreTrouble } from './store.ts';

/** Events are stored within a tenth of a second. One that waits this long means that something is wrong. */
const LAG_MS = 5000;

/** Health of the store, judged by the events that wait to be written and by where it is. */
export function storeHealth(
  log: Pick<BufferedEventLog, 'backlog'>,
  place: () => StoreTrouble | undefined,
  startedAt: number,
): () => Health {
  const named = { name: 'store', kind: 'store' } as const;
  let troubleSince: string | undefined;
  return () => {
    const now = Date.now();
    const { waiting, oldestAt, dropped, failing, lastError } = log.backlog();
    const lost = dropped > 0 ? [`${dropped} events were lost`] : [];
    const waits = waiting > 0 ? [`${waiting} events wait to be written`] : [];
    const described = (words: string[]) => (words.length > 0 ? { detail: words.join(', ') } : {});
    if (failing) {
      const { reason, since, retryAt } = failing;
      const sinceThen = new Date(since).toISOString();
      return {
        ...named,
        state: 'failing',
        since: sinceThen,
        ...described([...waits, ...lost]),
        lastError: { message: reason, at: sinceThen },
        ...(retryAt !== undefined && { retryAt: new Date(retryAt).toISOString() }),
      };
    }
    const trouble = place();
    troubleSince = trouble ? (troubleSince ?? new Date(now).toISOString()) : undefined;
    if (trouble && troubleSince !== undefined) {
      const lastError = { message: trouble.message, at: troubleSince };
      return { ...named, state: trouble.state, since: troubleSince, ...described(lost), lastError };
    }
    if (oldestAt !== undefined && now - oldestAt > LAG_MS) {
      const message = `The store is slow: ${waiting} events are waiting, the oldest for ${Math.round((now - oldestAt) / 1000)} s.`;
      const since = new Date(oldestAt).toISOString();
      return {
        ...named,
        state: 'degraded',
        since,
        ...described(lost),
        lastError: { message, at: since },
        fix: 'Check whether the disk is slow or another process keeps the store locked.',
      };
    }
    return {
      ...named,
      state: 'ready',
      since: new Date(lastError?.until ?? startedAt).toISOString(),
      ...described(lost),
      ...(lastError && { lastError: { message: lastError.reason, at: new Date(lastError.since).toISOString() } }),
    };
  };
}
