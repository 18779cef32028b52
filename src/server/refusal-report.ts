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

/** Reports a refusal at once, and after a minute how often it was repeated. */
export function createRefusalReport(tell: (fact: RefusalFact) => void) {
  const report = createMinuteReport<Omit<RefusalFact, 'times'>>({
    most: MOST,
    tell,
    others: (times) => tell({ address: 'many', reason: 'too many refusals in a minute to list them', times }),
  });
  return {
    /** `kind` identifies the reason and must not contain anything the caller chose. `sample` may. */
    add(address: string, kind: string, sample: string): void {
      report.add(`${networkOf(address)} ${kind}`, () => ({ address, reason: inEvent(sample, LONGEST_REASON) }));
    },
    [Symbol.dispose]: () => report[Symbol.dispose](),
  };
}
