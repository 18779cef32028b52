import type { Step } from '../definition/shape.ts';
import { type CarryDeps, type Carrying, isWaiting, type Reached } from './carrying.ts';
import { undoChild } from './child.ts';
import { type Unit, WHOLE } from './run.ts';
import { itemsOf, scopeOf, unitOf, withItem } from './scope.ts';
import { doUnit } from './unit.ts';

/** States of a unit that may have taken effect although it did not succeed. */
const unsure: ReadonlySet<Unit['state']> = new Set(['failed', 'unknown', 'cancelled', 'running', 'retrying']);

/** Undoes what a step did, the last item first. One that cannot be undone does not keep the others from it. */
export async function undoStep(carrying: Carrying, step: Step, deps: CarryDeps): Promise<Reached> {
  const { run, units } = carrying;
  if (!step.undo && step.work.kind !== 'blueprint') return 'skipped';
  const isWanted = ({ state }: Unit) =>
    state === 'done' || isUnderWay(step, state) || (run.goal === 'undo-all' && unsure.has(state));
  const whole = unitOf(units, step.id);
  const done = step.forEach === undefined ? (whole ? [whole] : []) : itemsOf(units, step.id).toReversed();
  const scope = scopeOf(run, units, deps.services());
  const items = step.forEach === undefined ? [] : ((whole?.arguments as unknown[] | undefined) ?? []);
  let worst: Reached = 'done';
  for (const unit of done.filter(isWanted)) {
    const reached = await undoUnit(carrying, step, unit, itemScope(scope, step, unit, items), deps);
    if (isWaiting(reached) || reached === 'stopped') return reached;
    if (reached === 'failed' || reached === 'unknown') worst = reached;
  }
  return worst;
}

/** Whether a called blueprint has not come to its end: what it did so far is undone by its own undos. */
const isUnderWay = ({ work }: Step, state: Unit['state']): boolean => work.kind === 'blueprint' && state === 'waiting';

function undoUnit(
  carrying: Carrying,
  step: Step,
  unit: Unit,
  scope: Readonly<Record<string, unknown>>,
  deps: CarryDeps,
): Promise<Reached> {
  if (!step.undo || isUnderWay(step, unit.state)) return undoChild(carrying, step, unit, deps);
  const id = { run: unit.run, step: unit.step, item: unit.item, phase: 'undo' as const };
  return doUnit(carrying, { id, step, action: step.undo, scope }, deps);
}

/** The undo of a step sees the step's own result: its item's, if it has items. */
function itemScope(
  scope: Readonly<Record<string, unknown>>,
  step: Step,
  { item, result = null }: Unit,
  items: readonly unknown[],
): Record<string, unknown> {
  const steps = { ...(scope.steps as object), [step.id]: { result, skipped: false } };
  return item === WHOLE ? { ...scope, steps } : { ...withItem(scope, step, items[item], item), steps };
}
