import { ownCalls } from '../../kernel/own-calls.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { RunTimeline } from './detail-views.ts';
import { type Run, type RunHead, type Unit, WHOLE } from '../runs/run.ts';
import { maskOf } from '../runs/secrets.ts';
import { traceIdOf } from '../runs/written-unit.ts';
import type { Runtime } from '../runtime.ts';
import { seesAsked } from './control.ts';
import { mayAbout } from './may-about.ts';
import { cut, outlineOf } from './outline.ts';
import { viewRun } from './view.ts';

/** A run has at most 100 steps of at most 300 items, each with its undo. */
const MOST_BARS = 3000;
const LONGEST_TEXT = 2000;
/** There may be thousands of them. */
const LONGEST_OF_ITEM = 300;
const MOST_RUNS = 300;

const iso = (ms: number): string => new Date(ms).toISOString();

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
  const { steps: _, more_steps: __, next: ___, ...head } = viewRun(run, units, redact, seesAsked(run, principal));
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
      ...outlineOf(step, mask),
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
    trace: traceIdOf(run.trace),
    ...(run.as.name !== undefined && { acts_as_name: run.as.name }),
    on_failure: run.definition.onFailure,
    steps,
    can: mayAbout(run, units, principal, { control, denied }),
  };
}

function barOf(unit: Unit, mask: (text: string) => string) {
  const { item, phase, state, startedAt, endedAt, attempt, error, note } = unit;
  const shown = (text: string) => cut(mask(text), item === WHOLE ? LONGEST_TEXT : LONGEST_OF_ITEM);
  return {
    ...(item !== WHOLE && { item }),
    phase,
    state,
    started_at: iso(startedAt),
    ...(endedAt !== undefined && { ended_at: iso(endedAt) }),
    attempts: attempt,
    ...(error !== undefined && { error: shown(error) }),
    ...(note !== undefined && { note: shown(note) }),
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
