import { AppError } from '../../kernel/errors.ts';
import type { StepDetail } from './detail-views.ts';
import { type Run, WHOLE } from '../runs/run.ts';
import type { Runtime } from '../runtime.ts';

const MOST_VALUE = 100_000;

interface Wanted {
  readonly step: string;
  readonly item: number | undefined;
  readonly phase: 'do' | 'undo';
}

/** What a step, an item of it, or its undo was given, and what came of it. Secrets of the run are masked. */
export async function stepWhole(
  run: Run,
  { journal, masked }: Pick<Runtime, 'journal' | 'masked'>,
  { step, item = WHOLE, phase }: Wanted,
): Promise<StepDetail> {
  const units = await journal.units(run.id);
  const unit = units.find((one) => one.step === step && one.item === item && one.phase === phase);
  if (!unit) throw new AppError('not_found', `${run.id} has not begun this part of ${step}.`);
  const given = limited(masked(run, unit.arguments));
  const result = limited(masked(run, unit.result));
  const cut = [...(given.isCut ? ['arguments' as const] : []), ...(result.isCut ? ['result' as const] : [])];
  return {
    step,
    ...(item !== WHOLE && { item }),
    phase,
    ...(given.value !== undefined && { arguments: given.value }),
    ...(result.value !== undefined && { result: result.value }),
    ...(cut.length > 0 && { cut }),
  };
}

function limited(value: unknown): { readonly value: unknown; readonly isCut: boolean } {
  const text = JSON.stringify(value) ?? '';
  return text.length > MOST_VALUE ? { value: text.slice(0, MOST_VALUE), isCut: true } : { value, isCut: false };
}
