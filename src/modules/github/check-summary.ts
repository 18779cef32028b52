import { few } from './few.ts';

/** A check run of GitHub Actions or another app. */
export interface CheckRun {
  readonly name: string;
  readonly status: string;
  readonly conclusion?: string | null | undefined;
}

/** A status that an older integration has set. */
export interface CommitStatus {
  readonly context: string;
  readonly state: string;
}

export interface CheckSummary {
  readonly state: 'success' | 'failure' | 'pending' | 'none';
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  /** The names of those that failed, a few of them. */
  readonly failing?: string[];
  /** The names of those that are not finished, a few of them. */
  readonly waiting?: string[];
}

export type Verdict = 'passed' | 'failed' | 'pending';

/** Bytes for the names of each kind. */
const ROOM = 300;
const PASSING = new Set(['success', 'neutral', 'skipped']);
const FAILING = new Set(['failure', 'error', 'cancelled', 'timed_out', 'action_required', 'startup_failure']);

/** Neutral and skipped count as passed, as they do for a merge. */
export function verdictOf(given: CheckRun | CommitStatus): Verdict {
  const word = 'state' in given ? given.state : given.status === 'completed' ? (given.conclusion ?? '') : '';
  if (PASSING.has(word)) return 'passed';
  return FAILING.has(word) ? 'failed' : 'pending';
}

/** What the checks of a commit say together. */
export function checkSummary(runs: readonly CheckRun[], statuses: readonly CommitStatus[]): CheckSummary {
  const all = [...runs, ...statuses].map((one) => ({
    name: 'context' in one ? one.context : one.name,
    verdict: verdictOf(one),
  }));
  const named = (verdict: Verdict) => all.filter((one) => one.verdict === verdict).map(({ name }) => name);
  const [passed, failed, pending] = [named('passed'), named('failed'), named('pending')];
  return {
    state: stateOf(all.length, failed.length, pending.length),
    passed: passed.length,
    failed: failed.length,
    pending: pending.length,
    ...(failed.length > 0 && { failing: few(failed, ROOM) }),
    ...(pending.length > 0 && { waiting: few(pending, ROOM) }),
  };
}

function stateOf(all: number, failed: number, pending: number): CheckSummary['state'] {
  if (failed > 0) return 'failure';
  if (pending > 0) return 'pending';
  return all > 0 ? 'success' : 'none';
}

/** `2 of 5 checks failed: build, lint.` */
export function checksInWords({ state, passed, failed, pending, failing, waiting }: CheckSummary): string {
  const all = passed + failed + pending;
  if (state === 'none') return 'It has no checks.';
  if (state === 'success') return all === 1 ? 'Its check passed.' : `All ${all} checks passed.`;
  return [
    failed > 0 && `${failed} of ${all} checks failed: ${failing?.join(', ')}.`,
    pending > 0 && `${pending} of ${all} checks are not finished: ${waiting?.join(', ')}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}
