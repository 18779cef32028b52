import type { Step } from '../definition/shape.ts';
import type { CarryDeps, Carrying } from './carrying.ts';
import type { Ending } from './unit-rows.ts';
import { type Unit, WHOLE } from './run.ts';
import { scopeOf, unitOf } from './scope.ts';
import { beginUnit, endUnit } from './written-unit.ts';

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
  const current = () => unitOf(units, step.id);

  function begin(args: unknown, state: 'running' | 'waiting' = 'running'): Promise<Unit> {
    const known = current();
    const isAnew = known?.state === 'retrying';
    return beginUnit(
      carrying,
      {
        ...id,
        attempt: isAnew ? known.attempt + 1 : (known?.attempt ?? 1),
        repeatable: true,
        ...(args !== undefined && { arguments: args }),
        state,
        after: known?.token,
        startedAt: isAnew ? undefined : known?.startedAt,
      },
      deps,
    );
  }

  const end = (ending: Ending) => endUnit(carrying, current() as Unit, ending, deps);
  return { carrying, step, scope: scopeOf(run, units, deps.services()), deps, current, begin, end };
}
