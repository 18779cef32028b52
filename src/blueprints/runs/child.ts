import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { Step, Work } from '../definition/shape.ts';
import type { CarryDeps, Carrying, Reached } from './carrying.ts';
import { isOpen, isUndo, type Run, type RunHead, type Unit, type UnitId, WHOLE } from './run.ts';
import { unitKey } from './scope.ts';
import { refuseManySecrets, secretsOf } from './secrets.ts';
import { decisionOn, REFUSED } from './unit.ts';
import type { Ending } from './unit-rows.ts';
import { beginUnit, endUnit } from './written-unit.ts';

const DEEPEST = 8;

interface ChildWork {
  readonly id: UnitId;
  readonly step: Step;
  readonly work: Extract<Work, { kind: 'blueprint' }>;
  readonly scope: Readonly<Record<string, unknown>>;
}

/** The run of a blueprint that a step calls. Its id follows from the step, so it is begun once. */
const childId = ({ run, step, item }: UnitId): string => `${run}.${step}${item === WHOLE ? '' : `.${item}`}`;

/** Has another blueprint carried out, and waits for its end. */
export async function childUnit(
  carrying: Carrying,
  { id, step, work, scope }: ChildWork,
  deps: CarryDeps,
): Promise<Reached> {
  const { run, units } = carrying;
  const known = units.get(unitKey(id));
  if (known?.state === 'done' || known?.state === 'failed' || known?.state === 'unknown') return known.state;
  if (step.confirm === 'human' && known?.state !== 'waiting') {
    const asked = await decisionOn(carrying, id.step, work.blueprint, deps);
    if (asked === 'refused')
      return end(carrying, await begin(carrying, id, known, deps), { state: 'failed', error: REFUSED }, deps);
    if (asked) return asked;
  }
  const child = childId(id);
  const begun = known?.state === 'waiting' ? known : await begin(carrying, id, known, deps);
  let head = await deps.journal.head(child);
  if (!head) {
    const problem = await create(run, child, { id, work, scope }, deps);
    if (problem !== undefined) return end(carrying, begun, { state: 'failed', error: problem }, deps);
    head = (await deps.journal.head(child)) as RunHead;
  } else if (known?.state === 'retrying' && !isOpen(head.state) && head.state !== 'succeeded') {
    await deps.journal.tryAgain(child, undefined);
    if (await deps.journal.next(child, head.part, { goal: 'finish', as: run.as, reopen: true }))
      await deps.start(child, head.part + 1);
    return { waits: { step: id.step, for: 'blueprint', runs: [child] } };
  }
  if (isOpen(head.state)) return { waits: { step: id.step, for: 'blueprint', runs: [child] } };
  if (head.state === 'succeeded') {
    const outputs = (await deps.journal.get(child))?.outputs ?? {};
    return end(carrying, begun, { state: 'done', result: outputs, note: `Run ${child}` }, deps);
  }
  const error = `The run ${child} ended as ${head.state}${head.error === undefined ? '.' : `: ${head.error}`}`;
  return end(carrying, begun, { state: head.state === 'unknown' ? 'unknown' : 'failed', error }, deps);
}

/** Undoes what the called blueprint did. */
export async function undoChild(carrying: Carrying, done: Unit, deps: CarryDeps): Promise<Reached> {
  const { run, units } = carrying;
  const id = { ...done, phase: 'undo' as const };
  const known = units.get(unitKey(id));
  if (known?.state === 'done' || known?.state === 'failed') return known.state;
  const child = childId(done);
  const begun = known?.state === 'waiting' ? known : await begin(carrying, id, known, deps);
  const head = await deps.journal.head(child);
  if (!head || head.state === 'undone') return end(carrying, begun, { state: 'done', note: `Run ${child}` }, deps);
  if (isOpen(head.state) && isUndo(head.goal)) return { waits: { step: done.step, for: 'blueprint', runs: [child] } };
  if (!isOpen(head.state) && isUndo(head.goal))
    return end(
      carrying,
      begun,
      { state: 'failed', error: `The run ${child} ended as ${head.state}: ${head.error ?? ''}` },
      deps,
    );
  if (await deps.journal.next(child, head.part, { goal: run.goal, as: run.as })) await deps.start(child, head.part + 1);
  return { waits: { step: done.step, for: 'blueprint', runs: [child] } };
}

async function create(
  run: Run,
  child: string,
  { id, work, scope }: Omit<ChildWork, 'step'>,
  deps: CarryDeps,
): Promise<string | undefined> {
  const called = Object.hasOwn(run.nested, work.blueprint) ? run.nested[work.blueprint] : undefined;
  if (!called) return `There is no blueprint ${work.blueprint}.`;
  if (child.split('.').length > DEEPEST) return `Blueprints call each other more than ${DEEPEST} levels deep.`;
  const { definition, origin } = called;
  let inputs: Json;
  try {
    const evaluator = await deps.evaluator();
    inputs = await evaluator.checkInputs(definition.inputs, (await evaluator.fill(work.inputs, scope)) as Json);
    refuseManySecrets(definition, inputs);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return error.message;
    throw error;
  }
  await deps.journal.create({
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
    as: run.as,
    deployer: run.deployer,
    parent: { run: run.id, step: id.step, item: id.item },
    trace: run.trace,
  });
  deps.events.record({
    type: 'blueprint.run_deployed',
    run: child,
    blueprint: definition.name,
    principal: run.actor,
    parent: run.id,
  });
  await deps.start(child, 1);
  return undefined;
}

function begin(carrying: Carrying, { run, step, item, phase }: UnitId, known: Unit | undefined, deps: CarryDeps) {
  const attempt = (known?.attempt ?? 0) + 1;
  const id = { run, step, item, phase };
  return beginUnit(
    carrying,
    { ...id, attempt, repeatable: true, state: 'waiting', after: known?.token, startedAt: known?.startedAt },
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
