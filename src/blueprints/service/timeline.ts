import { ownCalls } from '../../kernel/own-calls.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { RunTimeline } from './detail-views.ts';
import type { Step, Work } from '../definition/shape.ts';
import { type Run, type RunHead, type Unit, WHOLE } from '../runs/run.ts';
import { maskOf } from '../runs/secrets.ts';
import type { Runtime } from '../runtime.ts';
import { mayAbout } from './may-about.ts';
import { viewRun } from './view.ts';

/** A run has at most 100 steps of at most 300 items, each with its undo. */
const MOST_BARS = 3000;
const LONGEST_TEXT = 2000;
const MOST_RUNS = 300;

const iso = (ms: number): string => new Date(ms).toISOString();
const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

/** A run with everything that was done for it. `denied` says why this principal may not call a tool. */
export async function timelineOf(
  run: Run,
  runtime: Pick<Runtime, 'journal' | 'control' | 'redact'>,
  principal: Principal,
  denied: (tool: string) => string | undefined,
): Promise<RunTimeline> {
  const { journal, control, redact } = runtime;
  const [units, children] = await Promise.all([journal.timeline(run.id), journal.children(run.id)]);
  const mask = maskOf(run, redact);
  const { steps: _, more_steps: __, next: ___, ...head } = viewRun(run, units, redact);
  const seen = ownCalls(principal)
    ? children.filter(({ deployer, actor }) => [deployer, actor].includes(principal.id))
    : children;
  let left = MOST_BARS;
  const steps = run.definition.steps.map((step) => {
    const own = units.filter((unit) => unit.step === step.id);
    // What stands for the step itself comes first, so that a limit leaves out items only.
    const ordered = [...own].sort((a, b) => Number(a.item !== WHOLE) - Number(b.item !== WHOLE));
    const bars = ordered.slice(0, Math.max(2, left)).map((unit) => barOf(unit, mask));
    left -= bars.length;
    const items = own.filter(({ item, phase }) => item !== WHOLE && phase === 'do');
    const runs = seen.filter(({ parent }) => parent?.step === step.id).slice(0, MOST_RUNS);
    return {
      step: step.id,
      kind: step.work.kind,
      does: cut(mask(wordsOf(step.work))),
      for_each: step.forEach !== undefined,
      can_undo: canUndo(step),
      bars,
      ...(own.length > bars.length && { more_bars: own.length - bars.length }),
      ...(items.length > 0 && { items: counted(items) }),
      ...(runs.length > 0 && { runs: runs.map(childOf) }),
    };
  });
  return {
    ...head,
    now: iso(Date.now()),
    kind: run.kind,
    origin: run.origin,
    on_failure: run.definition.onFailure,
    steps,
    can: mayAbout(run, units, principal, { control, denied }),
  };
}

const canUndo = ({ undo, work }: Step): boolean => undo !== undefined || work.kind === 'blueprint';

function barOf(unit: Unit, mask: (text: string) => string) {
  const { item, phase, state, startedAt, endedAt, attempt, error, note } = unit;
  return {
    ...(item !== WHOLE && { item }),
    phase,
    state,
    started_at: iso(startedAt),
    ...(endedAt !== undefined && { ended_at: iso(endedAt) }),
    attempts: attempt,
    ...(error !== undefined && { error: cut(mask(error)) }),
    ...(note !== undefined && { note: cut(mask(note)) }),
  };
}

const childOf = ({ id, state, parent }: RunHead) => ({
  run: id,
  state,
  ...(parent && parent.item !== WHOLE && { item: parent.item }),
});

function counted(units: readonly Unit[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of units) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** What a step does, as its definition says it. */
function wordsOf(work: Work): string {
  switch (work.kind) {
    case 'tool':
      return work.tool;
    case 'workflow':
      return work.workflow;
    case 'webhook':
      return `${work.method} ${work.webhook}`;
    case 'approval':
      return work.question;
    case 'wait':
      return `${work.ms / 1000} s`;
    case 'event':
      return work.event;
    case 'blueprint':
      return work.blueprint;
  }
}
