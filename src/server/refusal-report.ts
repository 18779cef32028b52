import { shown } from '../kernel/nearest-names.ts';
import { networkOf } from './attempts.ts';

export interface RefusalFact {
  readonly address: string;
  readonly reason: string;
  readonly times: number;
}

const MINUTE_MS = 60_000;
/** So many are told apart in a minute; whoever comes from anywhere in any way must not fill the disk. */
const MOST = 100;

/** Says at once that somebody was refused, and after a minute how often it happened again. */
export function createRefusalReport(tell: (fact: RefusalFact) => void, everyMs = MINUTE_MS) {
  const again = new Map<string, { address: string; reason: string; times: number }>();
  let others = 0;
  const timer = setInterval(() => {
    for (const fact of again.values()) if (fact.times > 0) tell(fact);
    if (others > 0) tell({ address: 'many', reason: 'too many refusals in a minute to tell apart', times: others });
    again.clear();
    others = 0;
  }, everyMs).unref();
  return {
    /** `kind` tells one reason from another: nothing a caller can choose may be part of it. `sample` may say more. */
    add(address: string, kind: string, sample: string): void {
      const key = `${networkOf(address)} ${kind}`;
      const known = again.get(key);
      if (known) known.times++;
      else if (again.size >= MOST) others++;
      else {
        const reason = shown(sample.replace(/\p{C}/gu, '?'), 250);
        again.set(key, { address, reason, times: 0 });
        tell({ address, reason, times: 1 });
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
