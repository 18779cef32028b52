import { AppError } from '../../kernel/errors.ts';
import { ownCalls } from '../../kernel/own-calls.ts';
import { hasScope, type Principal } from '../../kernel/principal.ts';
import { shown } from '../../kernel/nearest-names.ts';
import type { BlueprintEvents } from '../facts.ts';
import type { Journal } from '../runs/journal.ts';
import { type Decision, type Goal, isOpen, isUndo, NOBODY, type Run, type RunHead } from '../runs/run.ts';
import type { PlannedStep } from './steps-of.ts';

export interface ControlDeps {
  readonly journal: Journal;
  readonly events: BlueprintEvents;
  start(run: string, part: number): Promise<void>;
  wake(run: RunHead): Promise<void>;
  /** What a run does now is stopped, on whichever replica. */
  redirect(run: string): void;
  changed(run: string): void;
  /** Whether callers can be told apart. */
  isAuthOn(): boolean;
  /** A step that this principal may not do. */
  refused(run: Run, principal: Principal): Pick<PlannedStep, 'path' | 'refused'> | undefined;
}

/** Whether a principal may see the arguments of a call that waits for an approval. They may hold what steps returned. */
export const seesAsked = (run: RunHead, principal: Principal): boolean =>
  isOwn(run, principal) || hasScope(principal, 'blueprint:approve');

/** Whether it is the run of this principal: deployed by him, or resumed as himself. */
export const isOwn = ({ deployer, actor }: RunHead, { id }: Principal): boolean => [deployer, actor].includes(id);

export type Control = ReturnType<typeof createControl>;

/** What somebody may do about a run. */
export function createControl(deps: ControlDeps) {
  const { journal, events } = deps;

  /** The run with this id, or that this principal gave the id when he deployed it. */
  async function existing(id: string, principal: Principal): Promise<Run> {
    const run = (await journal.get(id)) ?? (await journal.get((await journal.runOf(principal.id, id)) ?? ''));
    // Whoever is limited to some tools knows of his own calls only.
    const isHis = run && (!ownCalls(principal) || isOwn(run, principal));
    if (run && isHis) return run;
    throw new AppError('not_found', `There is no run ${shown(id)}. blueprint_history shows the runs.`);
  }

  /** Who deployed a run decides nothing in it, if callers can be told apart. */
  const mayApprove = (run: RunHead, principal: Principal): boolean => !deps.isAuthOn() || !isOwn(run, principal);

  const mayUndo = (run: RunHead, principal: Principal): boolean =>
    isOwn(run, principal) || hasScope(principal, 'blueprint:write');

  async function approve(
    id: string,
    given: { step?: string | undefined; ask?: string | undefined; approved: boolean; comment?: string | undefined },
    principal: Principal,
  ): Promise<Run> {
    // Whoever may approve decides about the runs of others.
    const run = (await journal.get(id)) ?? (await existing(id, principal));
    const { waits } = run;
    const step = given.step ?? (waits?.for === 'approval' ? waits.step : undefined);
    if (run.state !== 'waiting' || waits?.for !== 'approval' || waits.step !== step)
      throw new AppError(
        'conflict',
        `${run.id} does not wait for ${step === undefined ? 'an approval' : `an approval of ${shown(step)}`}: it is ${run.state}${waits ? ` (${waits.for}, step ${waits.step})` : ''}.`,
      );
    // What is approved must be what the person was asked about.
    if (given.ask !== undefined && given.ask !== waits.ask)
      throw new AppError(
        'conflict',
        `${run.id} waits for another call of ${shown(step)} by now. Look at its arguments, then decide about that one.`,
      );
    if (!mayApprove(run, principal))
      throw new AppError(
        'forbidden',
        `Who deployed ${run.id} cannot approve its steps. Somebody else has to, with another key and the scope blueprint:approve.`,
      );
    const decision: Omit<Decision, 'at'> = {
      approved: given.approved,
      principal: principal.id,
      ...(principal.name !== undefined && { name: principal.name }),
      ...(given.comment !== undefined && { comment: given.comment }),
    };
    const counts = await journal.decide(run.id, step, waits.ask, decision);
    if (counts.principal === NOBODY) throw new AppError('conflict', `Nobody decided about ${shown(step)} in time.`);
    if (counts.principal !== principal.id || counts.approved !== given.approved)
      throw new AppError(
        'conflict',
        `${counts.name ?? counts.principal} has already ${counts.approved ? 'approved' : 'refused'} it.`,
      );
    events.record({
      type: 'blueprint.decided',
      run: run.id,
      blueprint: run.name,
      step,
      principal: principal.id,
      approved: given.approved,
    });
    await deps.wake(run);
    deps.changed(run.id);
    return (await journal.get(run.id)) as Run;
  }

  /** Has a run head for something else, whether it is carried out, waits or has ended. */
  async function aim(run: RunHead, goal: Goal): Promise<void> {
    if (isOpen(run.state)) {
      const isOpenStill = await journal.aim(run.id, goal);
      // It came to its end by itself.
      if (!isOpenStill && goal === 'stop') return;
      // Afterwards: a blueprint that it calls now sees the new goal, and does not begin.
      for (const child of await journal.children(run.id)) if (isOpen(child.state)) await aim(child, goal);
      const now = await journal.head(run.id);
      if (now?.state === 'running' || now?.state === 'undoing') return deps.redirect(run.id);
    }
    for (let head = await journal.head(run.id); head; head = await journal.head(run.id)) {
      if (head.state === 'running' || head.state === 'undoing') return deps.redirect(run.id);
      if (goal === 'stop' && !isOpen(head.state)) return;
      if (await journal.next(head, { goal })) return deps.start(run.id, head.part + 1);
    }
  }

  async function cancel(id: string, undo: boolean, principal: Principal): Promise<Run> {
    const run = await existing(id, principal);
    if (!isOpen(run.state))
      throw new AppError(
        'conflict',
        `${run.id} has already ended: it is ${run.state}.${run.state === 'undone' ? '' : ' blueprint_undo undoes what it did.'}`,
      );
    if (undo && !mayUndo(run, principal))
      throw new AppError(
        'forbidden',
        `Undoing ${run.id}, which somebody else deployed, needs the scope blueprint:write.`,
      );
    if (isUndo(run.goal) && undo) throw new AppError('conflict', `${run.id} is being undone already.`);
    events.record({
      type: 'blueprint.cancel_requested',
      run: run.id,
      blueprint: run.name,
      principal: principal.id,
      undo,
    });
    await aim(run, undo ? 'undo' : 'stop');
    deps.changed(run.id);
    return existing(run.id, principal);
  }

  /** Undoes a run that has ended. The rights of who deployed it count, as for its steps. */
  async function undo(id: string, all: boolean, principal: Principal): Promise<Run> {
    const run = await existing(id, principal);
    if (isOpen(run.state))
      throw new AppError(
        'conflict',
        `${run.id} has not ended: it is ${run.state}. blueprint_cancel with undo: true stops and undoes it.`,
      );
    if (run.state === 'undone' && !(all && (await isUnsure(run))))
      throw new AppError('conflict', `${run.id} is undone already.`);
    if (run.parent) throw new AppError('conflict', `${run.id} belongs to ${run.parent.run}. Undo that one.`);
    // What could not be undone before is tried again.
    await journal.tryUndoAgain(run.id, run.part);
    await next(run, { goal: all ? 'undo-all' : 'undo' });
    events.record({ type: 'blueprint.undo_requested', run: run.id, blueprint: run.name, principal: principal.id });
    await deps.start(run.id, run.part + 1);
    deps.changed(run.id);
    return existing(run.id, principal);
  }

  /** Whether there is something that only an undo of everything undoes. */
  async function isUnsure({ id, goal }: Run): Promise<boolean> {
    const units = await journal.timeline(id);
    return (
      goal !== 'undo-all' && units.some(({ phase, state }) => phase === 'do' && state !== 'done' && state !== 'skipped')
    );
  }

  /** The run acts as whoever resumes it, and shows them what its steps returned: throws if they lack rights for a step. */
  function refuseResuming(run: Run, principal: Principal): void {
    const refused = isOwn(run, principal) ? undefined : deps.refused(run, principal);
    if (refused)
      throw new AppError('forbidden', `You may not resume ${run.id}. The step ${refused.path}: ${refused.refused}`);
  }

  /** Goes on after a failure, an unknown end or lost rights, as the caller. */
  async function resume(id: string, unknown: 'repeat' | 'done' | undefined, principal: Principal): Promise<Run> {
    const run = await existing(id, principal);
    const isLost = run.state === 'waiting' && run.waits?.for === 'rights';
    if (!isLost && !['failed', 'unknown', 'cancelled'].includes(run.state))
      throw new AppError(
        'conflict',
        `${run.id} is ${run.state}${run.waits ? ` and waits for ${run.waits.for}` : ''}: there is nothing to resume.`,
      );
    const units = await journal.timeline(run.id);
    // Steps that are undone would not be done again.
    if (!isLost && (isUndo(run.goal) || units.some(({ phase }) => phase === 'undo')))
      throw new AppError('conflict', `${run.id} was being undone. blueprint_undo tries the rest again.`);
    if (run.parent && !isLost)
      throw new AppError('conflict', `${run.id} belongs to ${run.parent.run}. Resume that one.`);
    refuseResuming(run, principal);
    const unsure = units.some(({ state, phase }) => state === 'unknown' && phase === 'do');
    if (unsure && unknown === undefined)
      throw new AppError(
        'invalid_input',
        `Nobody knows whether a step of ${run.id} took effect: ${run.error ?? ''} Find out, then resume with unknown: "done" if it did, or unknown: "repeat" to run it again.`,
      );
    if (!isLost)
      await tryAgain(run, unknown === 'done' ? `${principal.name ?? principal.id} says that it was done.` : undefined);
    await next(run, { goal: isLost ? run.goal : 'finish', as: principal, reopen: !isLost });
    events.record({ type: 'blueprint.run_resumed', run: run.id, blueprint: run.name, principal: principal.id });
    await deps.start(run.id, run.part + 1);
    deps.changed(run.id);
    return existing(run.id, principal);
  }

  /** What went wrong in a run is tried again; what is unknown was done, if somebody says so: in the blueprints it called, too. */
  async function tryAgain(run: Run, note: string | undefined): Promise<void> {
    const except = run.definition.steps.flatMap(({ id, work }) => (work.kind === 'blueprint' ? [id] : []));
    await journal.tryAgain(run.id, run.part, note === undefined ? undefined : { note, except });
    if (note === undefined) return;
    for (const { id, state } of await journal.children(run.id)) {
      const child = state === 'unknown' ? await journal.get(id) : undefined;
      if (child) await tryAgain(child, note);
    }
  }

  async function next(run: RunHead, change: Parameters<Journal['next']>[1]): Promise<void> {
    if (!(await journal.next(run, change)))
      throw new AppError('conflict', `${run.id} was changed at the same time. blueprint_status shows how it is.`);
  }

  return { existing, mayApprove, mayUndo, approve, aim, cancel, undo, refuseResuming, resume };
}
