import { setTimeout as delay } from 'node:timers/promises';
import type { Carrier, Once, Ticket } from '../engine/engine.ts';
import type { Json } from '../../kernel/source.ts';
import { AppError } from '../../kernel/errors.ts';
import { type CarryDeps, type Carrying, Interrupted, isWaiting, type Reached, type Waiting } from './carrying.ts';
import { doStep } from './step.ts';
import { type Goal, isOpen, isUndo, type Run, type RunState, type Waits } from './run.ts';
import { scopeOf, unitKey, type Units, unitOf } from './scope.ts';
import { maskOf, secretsOf } from './secrets.ts';
import { undoStep } from './undo.ts';
import { endUnit, LOST, traceIdOf } from './written-unit.ts';

const LOOK_MS = 25;
const MOST_TOLD = 10_000;

/** Where a run has come: to its end, or to something it waits for. */
type Arrived =
  | Waiting
  | { readonly state: RunState; readonly error?: string | undefined; readonly outputs?: Json; readonly step?: string }
  | 'elsewhere';

export interface RunCarrier extends Carrier {
  /** The run is heading for something else: what it does now is stopped, if it is carried out here. */
  redirect(run: string): void;
  /** The runs that are carried out here. */
  active(): readonly string[];
  /** What a run that is carried out here is heading for. */
  goalOf(run: string): Goal | undefined;
  /** Secret inputs of the runs that are carried out here. */
  secrets(): readonly string[];
  /** Waits until nothing is carried out here, but not longer than this. */
  idle(ms: number): Promise<void>;
}

/** Carries out runs, from where they are to their end or to where they have to wait. */
export function createCarrier(deps: CarryDeps): RunCarrier {
  const { journal, events } = deps;
  const active = new Map<string, { readonly stop: AbortController; goal: Goal }>();

  const told = new Map<string, string>();
  const secrets = new Map<string, readonly string[]>();
  let allSecrets: readonly string[] = [];

  function keep(run: string, found: readonly string[]): void {
    if (found.length > 0) secrets.set(run, found);
    else if (!secrets.delete(run)) return;
    allSecrets = [...secrets.values()].flat();
  }

  async function carry(ticket: Ticket, once: Once): Promise<void> {
    const run = await journal.get(ticket.run);
    if (!run || run.part !== ticket.part || !isOpen(run.state)) return;
    // Its time has come. Now it waits for its turn, as all others do.
    if (run.state === 'waiting') {
      if (await journal.next(run)) await deps.start(run.id, run.part + 1);
      return;
    }
    if (!(await journal.take(run.id, run.part, isUndo(run.goal) ? 'undoing' : 'running', deps.replica))) return;
    deps.changed(run.id);
    for (let goal: Goal = run.goal; ; ) {
      const stop = new AbortController();
      const mine = { stop, goal };
      // Before the goal is read: a change is either read, or stops this.
      active.set(run.id, mine);
      keep(run.id, secretsOf(run));
      try {
        const head = await journal.head(run.id);
        if (!head || head.part !== run.part || !isOpen(head.state)) return;
        goal = mine.goal = head.goal;
        const arrived = await bring({ ...run, goal }, once, stop.signal);
        if (arrived !== 'elsewhere' && (await arrive(run, goal, arrived))) return;
      } finally {
        active.delete(run.id);
        keep(run.id, []);
      }
    }
  }

  async function bring(run: Run, once: Once, signal: AbortSignal): Promise<Arrived> {
    const units = new Map((await journal.units(run.id)).map((unit) => [unitKey(unit), unit]));
    const carrying: Carrying = { run, units, signal, mask: maskOf(run, deps.redact) };
    if (run.goal !== 'finish') await endLost(carrying);
    if (run.goal === 'stop') return { state: 'cancelled', error: whyIn(run, units) };
    return isUndo(run.goal) ? undoAll(carrying, once) : finish(carrying, once);
  }

  /** Ends what a process left running that died before the run came to head for something else. */
  async function endLost(carrying: Carrying): Promise<void> {
    const { run, units } = carrying;
    for (const unit of units.values())
      if (unit.state === 'running' && (unit.phase === 'do' || run.goal === 'stop'))
        await endUnit(
          carrying,
          unit,
          unit.repeatable ? { state: 'cancelled', error: 'It was cancelled.' } : LOST,
          deps,
        );
  }

  async function finish(carrying: Carrying, once: Once): Promise<Arrived> {
    const { run, units, signal } = carrying;
    for (const step of run.definition.steps) {
      const known = unitOf(units, step.id)?.state;
      if (known === 'done' || known === 'skipped') continue;
      if (signal.aborted) return 'elsewhere';
      const reached = await remembered(`${run.goal} ${step.id}`, once, () => doStep(carrying, step, deps));
      if (isWaiting(reached)) return reached;
      if (reached === 'stopped') return 'elsewhere';
      if (reached === 'failed' || reached === 'unknown') return gaveUp(carrying, step.id, reached);
    }
    try {
      const evaluator = await deps.evaluator();
      const outputs = (await evaluator.fill(run.definition.outputs, scopeOf(run, units, deps.services()))) as Json;
      return { state: 'succeeded', outputs };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      // Everything was done; only what it says about itself is wrong.
      return {
        state: 'succeeded',
        outputs: {},
        error: carrying.mask(`The outputs cannot be filled in: ${error.message}`),
      };
    }
  }

  async function gaveUp({ run, units }: Carrying, step: string, how: 'failed' | 'unknown'): Promise<Arrived> {
    const error = wordsAbout(units, step, how);
    if (how === 'unknown') return { state: 'unknown', error, step };
    if (run.definition.onFailure === 'keep') return { state: 'failed', error, step };
    if (!(await journal.undoing(run.id, run.part, error))) return 'elsewhere';
    events.record(
      { type: 'blueprint.run_undoing', run: run.id, blueprint: run.name },
      { traceId: traceIdOf(run.trace) },
    );
    deps.changed(run.id);
    return 'elsewhere';
  }

  async function undoAll(carrying: Carrying, once: Once): Promise<Arrived> {
    const { run, units, signal } = carrying;
    const problems: string[] = [];
    let isUnknown = false;
    for (const step of run.definition.steps.toReversed()) {
      if (signal.aborted) return 'elsewhere';
      const reached = await remembered(`${run.goal} ${step.id}`, once, () => undoStep(carrying, step, deps));
      if (isWaiting(reached)) return reached;
      if (reached === 'stopped') return 'elsewhere';
      if (reached !== 'failed' && reached !== 'unknown') continue;
      isUnknown ||= reached === 'unknown';
      const bad = [...units.values()].find(
        (unit) => unit.step === step.id && unit.phase === 'undo' && unit.state === reached,
      );
      problems.push(`${step.id}: ${bad?.error ?? reached}`);
    }
    const why = whyIn(run, units);
    const before = why === undefined ? '' : `${why} `;
    const left = run.definition.steps.filter(({ id }) => run.goal === 'undo' && isUnknownIn(units, id));
    if (problems.length === 0 && left.length === 0) return { state: 'undone', error: why };
    if (problems.length === 0) {
      const names = left.map(({ id }) => id).join(', ');
      return { state: 'undone', error: `${before}Nobody knows whether ${names} took effect: it was left alone.` };
    }
    return {
      state: isUnknown ? 'unknown' : 'failed',
      error: `${before}Not everything could be undone. ${problems.join('; ')}`,
    };
  }

  /** Writes down where the run has come. False if it is heading for something else by now. */
  async function arrive(run: Run, goal: Goal, arrived: Exclude<Arrived, 'elsewhere'>): Promise<boolean> {
    const about = { run: run.id, blueprint: run.name };
    const trace = { traceId: traceIdOf(run.trace) };
    if ('waits' in arrived) {
      const { waits, until, asked } = arrived;
      if (!(await journal.park(run.id, run.part, goal, waits, { wakeAt: until, asked }))) return isVoid(run);
      await deps.start(run.id, run.part + 1, until ?? Number.POSITIVE_INFINITY);
      tellWaiting(run, waits);
      deps.changed(run.id);
      // What it waits for may have come in between.
      const head = await journal.head(run.id);
      if (head) await deps.wake(head);
      return true;
    }
    const { state, error, outputs, step } = arrived;
    told.delete(run.id);
    if (!(await journal.end(run.id, run.part, goal, state, { error, ...(outputs && { outputs }) }))) return isVoid(run);
    if (state === 'succeeded')
      events.record({ type: 'blueprint.run_completed', ...about, ms: Date.now() - run.createdAt }, trace);
    else if (state === 'undone') events.record({ type: 'blueprint.run_undone', ...about }, trace);
    else if (state === 'cancelled') events.record({ type: 'blueprint.run_cancelled', ...about }, trace);
    else events.record({ type: 'blueprint.run_failed', ...about, state, ...(step !== undefined && { step }) }, trace);
    deps.changed(run.id);
    const parent = run.parent && (await journal.head(run.parent.run));
    if (parent) await deps.wake(parent);
    return true;
  }

  /** Tells once what a run waits for: if it waits for events, an event of its own would wake it again and again. */
  function tellWaiting({ id, name, trace }: Run, { step, for: what }: Waits): void {
    if (told.get(id) === `${what} ${step}`) return;
    if (told.size >= MOST_TOLD) told.clear();
    told.set(id, `${what} ${step}`);
    const about = { run: id, blueprint: name, step, for: what };
    events.record({ type: 'blueprint.run_waiting', ...about }, { traceId: traceIdOf(trace) });
  }

  /** Whether another part was begun, so that this one has nothing to say any more. */
  async function isVoid({ id, part }: Run): Promise<boolean> {
    const head = await journal.head(id);
    return !head || head.part !== part || !isOpen(head.state);
  }

  return {
    async carry(ticket, once) {
      try {
        await carry(ticket, once);
      } catch (error) {
        // The message goes into the engine's tables in clear.
        if (error instanceof Interrupted || deps.resting.aborted) throw new Interrupted();
        deps.trouble(error);
        throw error;
      }
      if (!deps.resting.aborted) await deps.begin();
    },
    redirect: (run) => active.get(run)?.stop.abort(),
    active: () => [...active.keys()],
    secrets: () => allSecrets,
    goalOf: (run) => active.get(run)?.goal,
    async idle(ms) {
      for (const until = Date.now() + ms; active.size > 0 && Date.now() < until; ) await delay(LOOK_MS);
    },
  };
}

const wordsAbout = (units: Units, step: string, how: 'failed' | 'unknown'): string =>
  `The step ${step} ${how === 'failed' ? 'failed' : 'ended in an unknown way'}: ${unitOf(units, step)?.error ?? ''}`;

/** Why a run did not come to its end. */
function whyIn({ definition }: Run, units: Units): string | undefined {
  for (const { id } of definition.steps) {
    const how = unitOf(units, id)?.state;
    if (how === 'failed' || how === 'unknown') return wordsAbout(units, id, how);
  }
  return undefined;
}

const isUnknownIn = (units: Units, step: string): boolean =>
  [...units.values()].some((unit) => unit.step === step && unit.phase === 'do' && unit.state === 'unknown');

/**
 * Work that the engine remembers once it has ended. Where it only came to wait, or was stopped, it is not remembered: the
 * next part goes on from there.
 */
async function remembered(name: string, once: Once, work: () => Promise<Reached>): Promise<Reached> {
  let reached: Reached | undefined;
  const how = await once(name, async () => {
    reached = await work();
    return isWaiting(reached) ? 'waits' : reached;
  });
  if (reached !== undefined) return reached;
  return how === 'waits' || how === 'stopped' ? await work() : how;
}
