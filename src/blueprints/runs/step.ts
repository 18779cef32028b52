import { AppError } from '../../kernel/errors.ts';
import { type Action, MOST_ITEMS, type Step, type Work } from '../definition/shape.ts';
import { type CarryDeps, type Carrying, Interrupted, isWaiting, type Reached, type Waiting } from './carrying.ts';
import { childUnit } from './child.ts';
import type { Ending } from './journal.ts';
import { type Unit, WHOLE } from './run.ts';
import { itemsOf, scopeOf, unitKey, unitOf, withItem } from './scope.ts';
import { doUnit, traceIdOf } from './unit.ts';
import { approvalStep, eventStep, timeStep } from './waiting-steps.ts';

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
    await row.begin(undefined);
    await row.end({ state: 'failed', error: error.message });
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
  const { carrying, step, scope, deps } = row;
  const items = (row.current()?.arguments as unknown[] | undefined) ?? (await listOf(row, given));
  if (row.current()?.state !== 'running') await row.begin(items);
  const reached: Reached[] = [];
  let next = 0;
  let isOver = false;
  const worker = async () => {
    while (!isOver && next < items.length) {
      const index = next++;
      const outcome = await doItem(row, work, index, withItem(scope, step, items[index], index));
      reached.push(outcome);
      if (outcome !== 'done') isOver ||= !isWaiting(outcome);
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(step.parallel, items.length) }, worker));
  const broken = workers.find((one) => one.status === 'rejected');
  if (broken) throw broken.reason;
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
  const waiting = reached.filter(isWaiting);
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

function rowOf(carrying: Carrying, step: Step, deps: CarryDeps): StepRow {
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
