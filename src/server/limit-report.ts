import type { LimitReached } from '../wire/allowance.ts';

const REPORT_MS = 60_000;
const MOST_KNOWN = 1000;

/** Says at once that a caller has reached a limit, and after a minute how often it happened again. */
export function createLimitReport(tell: (fact: { limit: string; principal: string; times: number }) => void): {
  reached: LimitReached;
} & Disposable {
  const again = new Map<string, { limit: string; principal: string; times: number }>();
  const timer = setInterval(() => {
    for (const fact of again.values()) if (fact.times > 0) tell(fact);
    again.clear();
  }, REPORT_MS).unref();
  return {
    reached({ limit, principal }) {
      const key = `${limit} ${principal}`;
      const known = again.get(key);
      if (known) known.times++;
      else if (again.size < MOST_KNOWN) {
        again.set(key, { limit, principal, times: 0 });
        tell({ limit, principal, times: 1 });
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
