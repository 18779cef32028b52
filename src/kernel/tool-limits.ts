import { type Callable, isNamedBy } from './callable.ts';
import { AppError } from './errors.ts';
import { globMatcher } from './glob.ts';
import type { Principal } from './principal.ts';
import { type Rate, readRate } from './rate.ts';
import type { Shared } from './shared.ts';

type Rules = Readonly<Record<string, string>>;

/** Rate limits per caller and tool. The first matching glob decides. */
export function toolLimits(
  rules: () => Rules,
  count: Shared['count'],
): (callable: Callable, principal: Principal) => void | Promise<void> {
  let read: Rules | undefined;
  let rateOf: (callable: Callable) => Rate | undefined = () => undefined;
  return (callable, principal) => {
    const { name } = callable;
    const current = rules();
    if (current !== read) {
      read = current;
      rateOf = lookup(current);
    }
    const rate = rateOf(callable);
    const seconds = rate && count(`tool ${principal.id} ${name}`, rate);
    if (seconds instanceof Promise) return seconds.then((late) => refuse(name, late));
    return refuse(name, seconds);
  };
}

function refuse(tool: string, seconds: number | undefined): void {
  if (seconds === undefined) return;
  throw new AppError('rate_limited', `${tool} was called too often. Try again in ${seconds} s.`, {
    data: { retryAfter: seconds },
  });
}

function lookup(rules: Rules): (callable: Callable) => Rate | undefined {
  const known = Object.entries(rules).map(([glob, text]) => ({ fits: globMatcher([glob]), rate: readRate(text) }));
  if (known.length === 0) return () => undefined;
  const found = new Map<string, Rate | undefined>();
  return (callable) => {
    const { name } = callable;
    if (!found.has(name)) found.set(name, known.find(({ fits }) => isNamedBy(fits, callable))?.rate);
    return found.get(name);
  };
}
