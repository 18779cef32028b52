import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { Nested, Step, Work } from '../definition/shape.ts';
import type { CarryDeps, Carrying, Reached } from './carrying.ts';
import { humanDecision, REFUSED } from './human-decision.ts';
import { pauseAfter } from './pause.ts';
import { type Goal, isOpen, isUndo, type Run, type RunHead, type Unit, type UnitId, WHOLE } from './run.ts';
import { unitKey } from './scope.ts';
import { refuseManySecrets, secretsOf, shownInputs } from './secrets.ts';
import type { Ending } from './unit-rows.ts';
import { beginUnit, endUnit } from './written-unit.ts';

const DEEPEST = 8;
/** Which part of an id is that of an item. */
const isItem = /^\d+(~\d+)?$/;

interface ChildWork {
  readonly id: UnitId;
  readonly step: Step;
  readonly work: Extract<Work, { kind: 'blueprint' }>;
  readonly scope: Readonly<Record<string, unknown>>;
}

/** The run of a blueprint that a step calls. Its id follows from the step, so it is begun once. */
const firstId = ({ run, step, item }: UnitId): string => `${run}.${step}${item === WHOLE ? '' : `.${item}`}`;

const childOf = (unit: Unit | undefined, id: UnitId): string =>
  typeof unit?.arguments === 'string' ? unit.arguments : firstId(id);

/** A run that was undone cannot go on: whoever got its keys has seen them. Another one takes its place. */
function idAfter(child: string): string {
  const [, base = child, count = '1'] = /^(.*)~(\d+)$/.exec(child) ?? [];
  return `${base}~${Number(count) + 1}`;
}

/** Has another blueprint carried out, and waits for its end. */
export async function childUnit(carrying: Carrying, called: ChildWork, deps: CarryDeps): Promise<Reached> {
  const { run, units, signal } = carrying;
  const { id, step, work } = called;
  const known = units.get(unitKey(id));
  if (known?.state === 'done' || known?.state === 'failed' || known?.state === 'unknown') return known.state;
  if (signal.aborted) return 'stopped';
  let child = childOf(known, id);
  if (known?.state !== 'waiting' && step.confirm === 'human') {
    const given = await inputsOf(run, called, deps);
    const asked =
      'problem' in given
        ? 'refused'
        : await humanDecision(
            carrying,
            id,
            {
              what: `the blueprint ${work.blueprint}`,
              arguments: given.inputs,
              shown: shownInputs(given.definition, given.inputs),
            },
            deps,
          );
    const error = 'problem' in given ? given.problem : REFUSED;
    if (asked && asked !== 'refused') return asked;
    if (asked) return end(carrying, await begin(carrying, id, known, child, deps), { state: 'failed', error }, deps);
  }
  // Before this one is written down as waiting again: whoever goes on after a crash would take its old end for the new one.
  if (known?.state === 'retrying') {
    const before = await deps.journal.head(child);
    // It is still being stopped: only then can it go on.
    if (before && isOpen(before.state) && before.goal !== 'finish')
      return { waits: { step: id.step, for: 'blueprint', runs: [child] } };
    if (before?.state === 'undone') child = idAfter(child);
    else if (before && !isOpen(before.state) && before.state !== 'succeeded' && !isUndo(before.goal))
      await reopen(before, { goal: 'finish', as: run.as, reopen: true }, deps);
  }
  const begun = known?.state === 'waiting' ? known : await begin(carrying, id, known, child, deps);
  if (begun.state === 'failed') return 'failed';
  let head = await deps.journal.head(child);
  if (!head) {
    const problem = await create(run, child, called, deps);
    if (problem !== undefined) return end(carrying, begun, { state: 'failed', error: problem }, deps);
    head = (await deps.journal.head(child)) as RunHead;
    if (head.state === 'cancelled') return 'stopped';
  }
  const until = step.timeoutMs === undefined ? undefined : begun.startedAt + step.timeoutMs;
  const isLate = until !== undefined && Date.now() >= until;
  if (isOpen(head.state)) {
    if (isLate && head.goal === 'finish') await deps.aim(head, goalAfterFailure(run, work.blueprint));
    const waits = { step: id.step, for: 'blueprint', runs: [child] } as const;
    return { waits, ...(until !== undefined && !isLate && { until }) };
  }
  if (head.state === 'succeeded') {
    const outputs = (await deps.journal.get(child))?.outputs ?? {};
    return end(carrying, begun, { state: 'done', result: outputs, note: `Run ${child}` }, deps);
  }
  const late = isLate ? `It did not end within ${(step.timeoutMs ?? 0) / 1000} s. ` : '';
  const error = `${late}The run ${child} ended as ${head.state}${head.error === undefined ? '.' : `: ${head.error}`}`;
  if ((head.state === 'failed' || head.state === 'undone') && begun.attempt <= (step.retry?.times ?? 0)) {
    await endUnit(carrying, begun, { state: 'retrying', error }, deps);
    const waits = { step: id.step, for: 'retry', error: carrying.mask(error) } as const;
    return { waits, until: Date.now() + pauseAfter(step, begun.attempt) };
  }
  return end(carrying, begun, { state: head.state === 'unknown' ? 'unknown' : 'failed', error }, deps);
}

function goalAfterFailure({ nested }: Run, blueprint: string): Goal {
  const called = Object.hasOwn(nested, blueprint) ? nested[blueprint] : undefined;
  return called?.definition.onFailure === 'keep' ? 'stop' : 'undo';
}

/** Has a called run that has ended go on. */
async function reopen(
  head: RunHead,
  change: { readonly goal: Goal; readonly as: Run['as']; readonly reopen?: boolean },
  deps: CarryDeps,
): Promise<void> {
  const { id, part } = head;
  if (isUndo(change.goal)) await deps.journal.tryUndoAgain(id, part);
  else await deps.journal.tryAgain(id, part);
  if (await deps.journal.next(head, change)) await deps.start(id, part + 1);
}

/** Undoes what the called blueprint did. */
export async function undoChild(carrying: Carrying, step: Step, done: Unit, deps: CarryDeps): Promise<Reached> {
  const { run, units } = carrying;
  const id = { ...done, phase: 'undo' as const };
  const known = units.get(unitKey(id));
  if (known?.state === 'done' || known?.state === 'failed' || known?.state === 'unknown') return known.state;
  const child = childOf(done, done);
  const before = await deps.journal.head(child);
  // One that is still open is only stopped by this.
  if (step.confirm === 'human' && known?.state !== 'waiting' && before && !isOpen(before.state)) {
    const asked = await humanDecision(carrying, id, { what: 'its own undo steps', arguments: { run: child } }, deps);
    if (asked && asked !== 'refused') return asked;
    if (asked)
      return end(carrying, await begin(carrying, id, known, child, deps), { state: 'failed', error: REFUSED }, deps);
  }
  if (before && isOpen(before.state)) {
    if (!isUndo(before.goal)) await deps.aim(before, run.goal);
  } else if (before && before.state !== 'undone' && (known?.state === 'retrying' || !isUndo(before.goal)))
    await reopen(before, { goal: run.goal, as: run.as }, deps);
  const begun = known?.state === 'waiting' ? known : await begin(carrying, id, known, child, deps);
  const head = await deps.journal.head(child);
  if (!head || head.state === 'undone') return end(carrying, begun, { state: 'done', note: `Run ${child}` }, deps);
  if (isOpen(head.state)) return { waits: { step: done.step, for: 'blueprint', runs: [child] } };
  const error = `The run ${child} ended as ${head.state}: ${head.error ?? ''}`;
  return end(carrying, begun, { state: head.state === 'unknown' ? 'unknown' : 'failed', error }, deps);
}

/** What the called blueprint gets, or why it cannot. */
async function inputsOf(
  run: Run,
  { work, scope }: Pick<ChildWork, 'work' | 'scope'>,
  deps: CarryDeps,
): Promise<(Nested & { readonly inputs: Json }) | { readonly problem: string }> {
  const called = Object.hasOwn(run.nested, work.blueprint) ? run.nested[work.blueprint] : undefined;
  if (!called) return { problem: `There is no blueprint ${work.blueprint}.` };
  const { definition } = called;
  try {
    const evaluator = await deps.evaluator();
    const inputs = await evaluator.checkInputs(definition.inputs, (await evaluator.fill(work.inputs, scope)) as Json);
    refuseManySecrets(definition, inputs);
    return { ...called, inputs };
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return { problem: error.message };
    throw error;
  }
}

async function create(run: Run, child: string, called: ChildWork, deps: CarryDeps): Promise<string | undefined> {
  if (child.split('.').filter((part) => !isItem.test(part)).length > DEEPEST)
    return `Blueprints call each other more than ${DEEPEST} levels deep.`;
  const tooMany = await deps.journal.tooManyOpen(run.deployer);
  if (tooMany !== undefined) return tooMany;
  const given = await inputsOf(run, called, deps);
  if ('problem' in given) return given.problem;
  const { definition, origin, inputs } = given;
  const { id } = called;
  const full = await deps.journal.create({
    id: child,
    name: definition.name,
    kind: run.kind,
    // Its own: what the operator's file calls may come from somebody else.
    origin,
    hash: run.hash,
    definition,
    nested: run.nested,
    inputs,
    // It was given some of them, perhaps as inputs that it does not call secret.
    secrets: secretsOf(run),
    ...(run.unconfirmed && { unconfirmed: run.unconfirmed }),
    as: run.as,
    deployer: run.deployer,
    parent: { run: run.id, step: id.step, item: id.item },
    trace: run.trace,
  });
  if (full !== undefined) return full;
  deps.events.record({
    type: 'blueprint.run_deployed',
    run: child,
    blueprint: definition.name,
    principal: run.actor,
    parent: run.id,
  });
  // Whoever cancelled meanwhile did not see this one.
  if ((await deps.journal.head(run.id))?.goal !== run.goal) await deps.journal.end(child, 1, 'finish', 'cancelled');
  else await deps.start(child, 1);
  return undefined;
}

function begin(
  carrying: Carrying,
  { run, step, item, phase }: UnitId,
  known: Unit | undefined,
  child: string,
  deps: CarryDeps,
): Promise<Unit> {
  const attempt = (known?.attempt ?? 0) + 1;
  const id = { run, step, item, phase };
  return beginUnit(
    carrying,
    { ...id, attempt, repeatable: true, arguments: child, state: 'waiting', after: known?.token },
    deps,
  );
}

async function end(
  carrying: Carrying,
  unit: Unit,
  ending: Ending & { state: 'done' | 'failed' | 'unknown' },
  deps: CarryDeps,
): Promise<Reached> {
  await endUnit(carrying, unit, ending, deps);
  return ending.state;
}
