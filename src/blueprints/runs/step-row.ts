import { AppError } from '../../kernel/errors.ts';
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
  /** Writes down that it cannot begin, or go on. */
  fail(error: string): Promise<Unit>;
  end(ending: Ending): Promise<Unit>;
}

export function rowOf(carrying: Carrying, step: Step, deps: CarryDeps): StepRow {
  const { run, units } = carrying;
  const id = { run: run.id, step: step.id, item: WHOLE, phase: 'do' as const };
  const current = () => unitOf(units, step.id);

  async function begin(args: unknown, state: 'running' | 'waiting' = 'running', isRefusal = false): Promise<Unit> {
    const known = current();
    const isAnew = known?.state === 'retrying';
    const begun = await beginUnit(
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
      isRefusal,
    );
    if (begun.state === 'failed') throw new AppError('invalid_input', begun.error ?? '');
    return begun;
  }

  const end = (ending: Ending) => endUnit(carrying, current() as Unit, ending, deps);
  async function fail(error: string): Promise<Unit> {
    await begin(undefined, 'running', true);
    return end({ state: 'failed', error });
  }
  return { carrying, step, scope: scopeOf(run, units, deps.services()), deps, current, begin, fail, end };
}
