import { inEvent } from '../kernel/harmless.ts';
import { networkOf } from './attempts.ts';
import { createMinuteReport } from './minute-report.ts';

export interface RefusalFact {
  readonly address: string;
  readonly reason: string;
  readonly times: number;
}

const MOST = 100;
const LONGEST_REASON = 250;

/** Says at once that somebody was refused, and after a minute how often it happened again. */
export function createRefusalReport(tell: (fact: RefusalFact) => void) {
  const report = createMinuteReport<Omit<RefusalFact, 'times'>>({
    most: MOST,
    tell,
    others: (times) => tell({ address: 'many', reason: 'too many refusals in a minute to tell apart', times }),
  });
  return {
    /** `kind` tells one reason from another: nothing a caller can choose may be part of it. `sample` may say more. */
    add(address: string, kind: string, sample: string): void {
      report.add(`${networkOf(address)} ${kind}`, () => ({ address, reason: inEvent(sample, LONGEST_REASON) }));
    },
    [Symbol.dispose]: () => report[Symbol.dispose](),
  };
}
