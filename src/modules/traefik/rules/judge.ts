import { messageOf } from '../../../kernel/errors.ts';
import type { Effort } from '../regexp/go-regexp.ts';
import { BadPattern, CannotJudge } from '../regexp/syntax.ts';
import { BadRule } from './bad-rule.ts';
import { type Matchers, matchers, type Test } from './matchers.ts';
import { matchersV2 } from './matchers-v2.ts';
import { type Matcher, parseRule, type Rule, shownMatcher } from './parse-rule.ts';
import type { Request } from './request.ts';

export type Syntax = 'v2' | 'v3';

/** A matcher of a rule, and why it decided as it did. */
export interface Reason {
  readonly matcher: string;
  readonly why?: string;
}

export interface Verdict {
  readonly result: 'matches' | 'fails' | 'unknown';
  /** The matchers that made it so. */
  readonly reasons: readonly Reason[];
  /** Which part of all matchers fits, from 0 to 1: how near a miss is. */
  readonly nearness: number;
}

type Judged = Pick<Verdict, 'result' | 'reasons'>;

/** Whether a request fits a rule. Never throws: what cannot be judged is unknown, and says why. */
export function judge(rule: string, syntax: Syntax, request: Request, effort: Effort): Verdict {
  const known = syntax === 'v2' ? matchersV2 : matchers;
  let fitting = 0;
  let all = 0;
  const leaf = (matcher: Matcher): Judged => {
    all += 1;
    const judged = judgeMatcher(matcher, known, request, effort);
    if (judged.result === 'matches') fitting += 1;
    return judged;
  };
  try {
    const judged = judgeRule(parseRule(rule, namesOf(known)), leaf);
    return { ...judged, nearness: fitting / Math.max(1, all) };
  } catch (error) {
    const refused = error instanceof BadRule || error instanceof BadPattern;
    if (!refused && !(error instanceof CannotJudge)) throw error;
    const why = refused ? `Traefik cannot read the rule: ${error.message}` : `cannot be judged: ${error.message}`;
    return { result: refused ? 'fails' : 'unknown', reasons: [{ matcher: rule, why }], nearness: 0 };
  }
}

/** Judges all parts, so that misses can be compared. */
function judgeRule(rule: Rule, leaf: (matcher: Matcher) => Judged): Judged {
  if (rule.kind === 'matcher') return leaf(rule);
  const parts = rule.parts.map((part) => judgeRule(part, leaf));
  const of = (result: Judged['result']) => parts.filter((part) => part.result === result);
  const reasons = (some: readonly Judged[]) => some.flatMap((part) => part.reasons);
  const [fails, matching, unknown] = [of('fails'), of('matches'), of('unknown')];
  if (rule.kind === 'all') {
    if (fails[0]) return fails[0];
    return unknown.length > 0
      ? { result: 'unknown', reasons: reasons(unknown) }
      : { result: 'matches', reasons: reasons(matching) };
  }
  if (matching[0]) return matching[0];
  return unknown.length > 0
    ? { result: 'unknown', reasons: reasons(unknown) }
    : { result: 'fails', reasons: reasons(fails) };
}

function judgeMatcher(matcher: Matcher, known: Matchers, request: Request, effort: Effort): Judged {
  const shown = shownMatcher(matcher);
  try {
    const test = known.get(matcher.name)?.(matcher.values) as Test;
    const fits = test.fits(request, effort) !== matcher.negated;
    if (fits) return { result: 'matches', reasons: [{ matcher: shown }] };
    return { result: 'fails', reasons: [{ matcher: shown, why: test.has(request) }] };
  } catch (error) {
    if (!(error instanceof CannotJudge)) throw error;
    return { result: 'unknown', reasons: [{ matcher: shown, why: messageOf(error) }] };
  }
}

/** Traefik also takes a name in lower case, in upper case, and with only its first letter in upper case. */
function namesOf(known: Matchers): (name: string) => string | undefined {
  const names = new Map(
    [...known.keys()].flatMap((name) => {
      const lower = name.toLowerCase();
      return [name, lower, name.toUpperCase(), `${name[0] ?? ''}${lower.slice(1)}`].map(
        (form) => [form, name] as const,
      );
    }),
  );
  return (name) => names.get(name);
}
