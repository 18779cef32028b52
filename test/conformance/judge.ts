import type { Exception } from './exceptions.ts';
import { DID_NOT_RUN, type Problem, type Results, type ScenarioResult, worseThan } from './suite.ts';

export type Verdict =
  | { kind: 'pass' }
  /** It fails in the same way as the baseline. */
  | { kind: 'same' }
  | { kind: 'fail'; problems: readonly Problem[] }
  | { kind: 'excepted'; reason: string; problems: readonly Problem[] }
  /** It is listed as an exception, but passes. */
  | { kind: 'stale'; reason: string };

export type Verdicts = Map<string, Verdict>;

/** Alone, a server passes a scenario if no check fails; a warning is advice. */
export function judgeAlone(results: Results): Verdicts {
  return judged(results, ({ problems }) => problems.filter(({ level }) => level === 'failure'));
}

/** The suite counts warnings against a client; checks that the suite's own server never triggered are skipped. */
export function judgeClient(results: Results): Verdicts {
  return judged(results, ({ problems }) => problems.filter(({ level }) => level !== 'skipped'));
}

/** Compared with another run, a scenario passes if nothing is worse. */
export function judgeAgainst(expected: Results, results: Results, exceptions: readonly Exception[]): Verdicts {
  const perfect: ScenarioResult = { status: 'pass', problems: [] };
  const worse = (result: ScenarioResult, scenario: string) => worseThan(expected.get(scenario) ?? perfect, result);
  return judged(results, worse, exceptions);
}

function judged(
  results: Results,
  problemsOf: (result: ScenarioResult, scenario: string) => readonly Problem[],
  exceptions: readonly Exception[] = [],
): Verdicts {
  const verdictOn = (scenario: string, result: ScenarioResult): Verdict => {
    const problems = problemsOf(result, scenario);
    const reason = exceptions.find((exception) => exception.scenario === scenario)?.reason;
    // An exception or a baseline covers how a scenario ends, not that it never started.
    const unrun = result.problems.filter(({ check }) => check === DID_NOT_RUN);
    if (unrun.length > 0) return { kind: 'fail', problems: unrun };
    if (problems.length === 0 && reason !== undefined) return { kind: 'stale', reason };
    if (problems.length === 0) return { kind: result.status === 'pass' ? 'pass' : 'same' };
    return reason === undefined ? { kind: 'fail', problems } : { kind: 'excepted', reason, problems };
  };
  return new Map([...results].map(([scenario, result]) => [scenario, verdictOn(scenario, result)]));
}
