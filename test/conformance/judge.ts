import type { Exception } from './exceptions.ts';
import { DID_NOT_RUN, type Problem, type Results, type ScenarioResult, worseThan } from './suite.ts';

export type Verdict =
  | { kind: 'pass' }
  /** It fails as the run does that it is measured by. */
  | { kind: 'same' }
  | { kind: 'fail'; problems: readonly Problem[] }
  | { kind: 'excepted'; reason: string; problems: readonly Problem[] }
  /** It is listed as an exception, and passes. */
  | { kind: 'stale'; reason: string };

export type Verdicts = Map<string, Verdict>;

/** On its own a server passes a scenario when no check fails; a warning is advice. */
export function judgeAlone(results: Results): Verdicts {
  return judged(results, ({ problems }) => problems.filter(({ level }) => level === 'failure'));
}

/** The suite holds warnings against a client; what a server of its own never asked for is skipped. */
export function judgeClient(results: Results): Verdicts {
  return judged(results, ({ problems }) => problems.filter(({ level }) => level !== 'skipped'));
}

/** Beside another run a scenario passes when it is not worse in anything. */
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
    // An exception, or another run, says how a scenario ends, not that it may never have begun.
    const unrun = result.problems.filter(({ check }) => check === DID_NOT_RUN);
    if (unrun.length > 0) return { kind: 'fail', problems: unrun };
    if (problems.length === 0 && reason !== undefined) return { kind: 'stale', reason };
    if (problems.length === 0) return { kind: result.status === 'pass' ? 'pass' : 'same' };
    return reason === undefined ? { kind: 'fail', problems } : { kind: 'excepted', reason, problems };
  };
  return new Map([...results].map(([scenario, result]) => [scenario, verdictOn(scenario, result)]));
}
