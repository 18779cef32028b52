import { AppError } from '../../kernel/errors.ts';
import { type Limits, secondsIn, spanText } from './times.ts';

/** What Prometheus allows for a series of a range query. A subquery has no limit there. */
const MOST_STEPS = 11_000;

/** Refuses a query that looks back further than the file allows: `rate(x[5y])`, or `max_over_time(x[30d:1s])`. */
export function checkLookBack(query: string, limits: Limits): void {
  for (const { range, step } of rangesIn(query)) {
    if (range > limits.range)
      throw new AppError(
        'invalid_input',
        `The query looks back over ${spanText(range)}, and ${limits.setting}.maxRange allows ${spanText(limits.range)}. Use a shorter range in the brackets, or raise maxRange in sluice.yaml.`,
      );
    if (step !== undefined && step > 0 && range / step > MOST_STEPS)
      throw new AppError(
        'invalid_input',
        `The subquery [${spanText(range)}:${spanText(step)}] evaluates ${Math.round(range / step)} steps, more than ${MOST_STEPS}. Use a longer step after the colon.`,
      );
  }
}

/** The ranges in brackets, in seconds. Ranges that are expressions are left to Prometheus. */
export function rangesIn(query: string): { range: number; step?: number }[] {
  return withoutTexts(query)
    .matchAll(/\[\s*([\d.a-z]{1,60})\s*(?::\s*([\d.a-z]{0,60})\s*)?\]/g)
    .flatMap(([, range = '', step = '']) => {
      const seconds = secondsIn(range);
      const every = secondsIn(step);
      return seconds === undefined ? [] : [{ range: seconds, ...(every !== undefined && { step: every }) }];
    })
    .toArray();
}

/** Texts in quotes and comments may hold brackets that mean nothing. */
function withoutTexts(query: string): string {
  let kept = '';
  for (let at = 0; at < query.length; at++) {
    const sign = query.charAt(at);
    if (sign === '#') {
      while (at < query.length && query.charAt(at) !== '\n') at++;
    } else if (sign === '"' || sign === "'" || sign === '`') {
      for (at++; at < query.length && query.charAt(at) !== sign; at++)
        if (query.charAt(at) === '\\' && sign !== '`') at++;
      kept += '""';
    } else kept += sign;
  }
  return kept;
}
