import type { Step } from '../definition/shape.ts';
import { type Run, type Unit, WHOLE } from './run.ts';

/** The units of a run by step, phase and item. */
export type Units = Map<string, Unit>;

export const unitKey = ({ step, item, phase }: Pick<Unit, 'step' | 'item' | 'phase'>): string =>
  `${phase} ${step} ${item}`;

export const unitOf = (units: Units, step: string, item = WHOLE, phase: Unit['phase'] = 'do'): Unit | undefined =>
  units.get(unitKey({ step, item, phase }));

/** The items of a step in order. */
export const itemsOf = (units: Units, step: string, phase: Unit['phase'] = 'do'): Unit[] =>
  [...units.values()]
    .filter((unit) => unit.step === step && unit.phase === phase && unit.item !== WHOLE)
    .sort((a, b) => a.item - b.item);

/** What expressions see: the inputs and what the steps before have returned. */
export function scopeOf(run: Run, units: Units, services: readonly string[]): Record<string, unknown> {
  const steps = new Map<string, unknown>();
  for (const { id, forEach } of run.definition.steps) {
    const whole = unitOf(units, id);
    if (!whole || (whole.state !== 'done' && whole.state !== 'skipped')) continue;
    const isSkipped = whole.state === 'skipped';
    const result =
      forEach !== undefined && !isSkipped
        ? itemsOf(units, id).map((unit) => unit.result ?? null)
        : (whole.result ?? null);
    steps.set(id, { result, skipped: isSkipped });
  }
  return {
    inputs: run.inputs,
    steps: Object.fromEntries(steps),
    run: { id: run.id, name: run.name },
    services: [...services],
  };
}

/** The same with the item of a step. */
export const withItem = (
  scope: Readonly<Record<string, unknown>>,
  { as }: Step,
  item: unknown,
  index: number,
): Record<string, unknown> => ({ ...scope, [as]: item, index });
