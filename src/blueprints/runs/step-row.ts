import type { Step } from '../definition/shape.ts';
import { type CarryDeps, type Carrying, Interrupted } from './carrying.ts';
import type { Ending } from './journal.ts';
import { type Unit, WHOLE } from './run.ts';
import { scopeOf, unitKey, unitOf } from './scope.ts';
import { traceIdOf } from './unit.ts';

/** A step whose own row changes: the helpers of the kinds that call nobody. */
export interface StepRow {
  readonly carrying: Carrying;
  readonly step: Step;
  readonly scope: Readonly<Record<string, unknown>>;
  readonly deps: CarryDeps;
  current(): Unit | undefined;
  /** Writes down that the step has begun, with what it needs to go on later. */
  begin(args: unknown, state?: 'running' | 'waiting'): Promise<Unit>;
  end(ending: Ending): Promise<Unit>;
}

export function rowOf(carrying: Carrying, step: Step, deps: CarryDeps): StepRow {
  const { run, units } = carrying;
  const id = { run: run.id, step: step.id, item: WHOLE, phase: 'do' as const };
  const about = { run: run.id, blueprint: run.name, step: step.id };
  const trace = { traceId: traceIdOf(run.trace) };
  const current = () => unitOf(units, step.id);

  async function begin(args: unknown, state: 'running' | 'waiting' = 'running'): Promise<Unit> {
    const known = current();
    const attempt = known?.state === 'retrying' ? known.attempt + 1 : (known?.attempt ?? 1);
    const begun = await deps.journal.begin({
      ...id,
      attempt,
      repeatable: true,
      ...(args !== undefined && { arguments: args }),
      state,
      after: known?.token,
      startedAt: known?.state === 'retrying' ? undefined : known?.startedAt,
    });
    if (!begun) throw new Interrupted();
    units.set(unitKey(id), begun);
    if (!known) deps.events.record({ type: 'blueprint.step_started', ...about, attempt }, trace);
    deps.changed(run.id);
    return begun;
  }

  async function end(ending: Ending): Promise<Unit> {
    const masked = { ...ending, ...(ending.error !== undefined && { error: carrying.mask(ending.error) }) };
    const ended = await deps.journal.finish(current() as Unit, masked);
    if (!ended) throw new Interrupted();
    units.set(unitKey(id), ended);
    const { state, attempt, startedAt, endedAt = startedAt } = ended;
    if (state === 'done' || state === 'skipped')
      deps.events.record({ type: 'blueprint.step_completed', ...about, ms: endedAt - startedAt }, trace);
    else deps.events.record({ type: 'blueprint.step_failed', ...about, state, attempt }, trace);
    deps.changed(run.id);
    return ended;
  }

  return { carrying, step, scope: scopeOf(run, units, deps.services()), deps, current, begin, end };
}
