import { AppError } from '../../kernel/errors.ts';
import { type Action, MOST_ITEMS, type Step, type Work } from '../definition/shape.ts';
import { type CarryDeps, type Carrying, isWaiting, type Reached, type Waiting } from './carrying.ts';
import { childUnit } from './child.ts';
import { WHOLE } from './run.ts';
import { itemsOf, withItem } from './scope.ts';
import { rowOf, type StepRow } from './step-row.ts';
import { doUnit } from './unit.ts';
import { approvalStep, eventStep, timeStep } from './waiting-steps.ts';

/** Brings a step as far as it can go now. */
export async function doStep(carrying: Carrying, step: Step, deps: CarryDeps): Promise<Reached> {
  const row = rowOf(carrying, step, deps);
  const before = row.current();
  if (before?.state === 'done' || before?.state === 'skipped') return before.state;
  if (before?.state === 'failed' || before?.state === 'unknown') return before.state;
  try {
    if (!before && step.when !== undefined && !(await (await deps.evaluator()).isTrue(step.when, row.scope))) {
      await row.begin(undefined);
      await row.end({ state: 'skipped' });
      return 'skipped';
    }
    return await doWork(row, step.work);
  } catch (error) {
    // Only what the definition says can be wrong here; everything else is not the end of the step.
    if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    await row.fail(error.message);
    return 'failed';
  }
}

function doWork(row: StepRow, work: Work): Promise<Reached> {
  switch (work.kind) {
    case 'approval':
      return approvalStep(row, work);
    case 'wait':
      return timeStep(row, work);
    case 'event':
      return eventStep(row, work);
    default:
      return row.step.forEach === undefined
        ? doItem(row, work, WHOLE, row.scope)
        : doItems(row, work, row.step.forEach);
  }
}

type Outward = Action | Extract<Work, { kind: 'blueprint' }>;

function doItem(
  { carrying, step, deps }: StepRow,
  work: Outward,
  item: number,
  scope: Readonly<Record<string, unknown>>,
): Promise<Reached> {
  const id = { run: carrying.run.id, step: step.id, item, phase: 'do' as const };
  return work.kind === 'blueprint'
    ? childUnit(carrying, { id, step, work, scope }, deps)
    : doUnit(carrying, { id, step, action: work, scope }, deps);
}

/** The same work for each item, some at a time. After a failure no other item is begun. */
async function doItems(row: StepRow, work: Outward, given: string | readonly unknown[]): Promise<Reached> {
  const { carrying, step, scope } = row;
  const items = (row.current()?.arguments as unknown[] | undefined) ?? (await listOf(row, given));
  if (row.current()?.state !== 'running') await row.begin(items);
  const reached: Reached[] = [];
  let next = 0;
  const begun = new Map(itemsOf(carrying.units, step.id).map((unit) => [unit.item, unit]));
  let isOver = [...begun.values()].some(({ state }) => state === 'failed' || state === 'unknown');
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      if (isOver && !begun.has(index)) continue;
      const outcome = await doItem(row, work, index, withItem(scope, step, items[index], index));
      reached.push(outcome);
      if (outcome !== 'done') isOver ||= !isWaiting(outcome);
      // A blueprint that was called keeps its place until it has ended.
      if (isWaiting(outcome) && outcome.waits.for === 'blueprint') return;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(step.parallel, items.length) }, worker));
  const broken = workers.find((one) => one.status === 'rejected');
  if (broken) throw broken.reason;
  const waiting = reached.filter(isWaiting);
  // Blueprints that it called come to their end first: otherwise nobody would undo them.
  const calling = waiting.filter(({ waits }) => waits.for === 'blueprint');
  if (calling.length > 0) return soonest(calling);
  if (reached.includes('unknown')) {
    await row.end({ state: 'unknown', error: wordsAbout(carrying, step, 'unknown', items.length) });
    return 'unknown';
  }
  if (reached.includes('failed')) {
    await row.end({ state: 'failed', error: wordsAbout(carrying, step, 'failed', items.length) });
    return 'failed';
  }
  if (reached.includes('stopped')) {
    await row.end({ state: 'cancelled', error: 'It was cancelled.' });
    return 'stopped';
  }
  if (waiting.length > 0) return soonest(waiting);
  await row.end({ state: 'done' });
  return 'done';
}

async function listOf({ scope, deps }: StepRow, given: string | readonly unknown[]): Promise<unknown[]> {
  const items = await (await deps.evaluator()).fill(given, scope);
  if (!Array.isArray(items)) throw new AppError('invalid_input', `for_each gave ${kindOf(items)}. It needs a list.`);
  if (items.length > MOST_ITEMS)
    throw new AppError('invalid_input', `for_each has ${items.length} items. At most ${MOST_ITEMS} are allowed.`);
  return items;
}

const kindOf = (value: unknown): string => (value === null ? 'nothing' : `a ${typeof value}`);

function wordsAbout({ units }: Carrying, { id }: Step, state: 'failed' | 'unknown', total: number): string {
  const bad = itemsOf(units, id).filter((unit) => unit.state === state);
  const [first] = bad;
  const verb = state === 'failed' ? 'failed' : 'ended in an unknown way';
  return `${bad.length} of ${total} items ${verb}. Item ${first?.item}: ${first?.error ?? ''}`;
}

/** Waits for a person come first; the others go on by themselves. */
function soonest(waiting: readonly Waiting[]): Waiting {
  const [first] = [...waiting].sort((a, b) => (a.until ?? 0) - (b.until ?? 0)) as [Waiting];
  const runs = waiting.flatMap(({ waits }) => (waits.for === 'blueprint' ? waits.runs : []));
  return first.waits.for === 'blueprint' ? { ...first, waits: { ...first.waits, runs } } : first;
}
