import type { Principal } from '../../kernel/principal.ts';
import type { RunTimeline } from './detail-views.ts';
import { isOpen, isUndo, type Run, type Unit, WHOLE } from '../runs/run.ts';
import type { Control } from './control.ts';

interface MayDeps {
  readonly control: Pick<Control, 'mayApprove' | 'mayUndo'>;
  /** Why the principal may not call a tool. */
  denied(tool: string): string | undefined;
}

/** What can be done about a run as it is now, and why this principal may not. Doing it judges again. */
export function mayAbout(
  run: Run,
  units: readonly Unit[],
  principal: Principal,
  { control, denied }: MayDeps,
): RunTimeline['can'] {
  const { state, waits, goal, parent } = run;
  const isLost = state === 'waiting' && waits?.for === 'rights';
  const wasUndone = isUndo(goal) || units.some(({ phase }) => phase === 'undo');
  const did = units.filter(({ phase }) => phase === 'do');
  const stepsOf = (some: readonly Unit[]) => [...new Set(some.map(({ step }) => step))];
  const byWhy = (why: string | undefined) => ({ allowed: why === undefined, ...(why !== undefined && { why }) });
  const belongs = (what: string) => parent && `It belongs to ${parent.run}. ${what} that one.`;

  const canResume = isLost || (['failed', 'unknown', 'cancelled'].includes(state) && !wasUndone);
  const undoable = run.definition.steps.filter(({ undo, work }) => undo ?? work.kind === 'blueprint');
  // The items of a step are undone one by one; the step itself then has nothing to undo.
  const withItems = new Set(run.definition.steps.filter(({ forEach }) => forEach !== undefined).map(({ id }) => id));
  const left = did.filter((unit) => withItems.has(unit.step) !== (unit.item === WHOLE) && !isUndone(unit, units));
  const done = new Set(stepsOf(left.filter((unit) => unit.state === 'done')));
  const unsure = stepsOf(left.filter((unit) => ['failed', 'unknown', 'cancelled', 'retrying'].includes(unit.state)));
  const unsureUndoable = goal === 'undo-all' ? [] : undoable.map(({ id }) => id).filter((id) => unsure.includes(id));
  const undoDone = undoable.map(({ id }) => id).filter((id) => done.has(id));
  const canUndo = !isOpen(state) && (state === 'undone' ? unsureUndoable : [...undoDone, ...unsureUndoable]).length > 0;
  return {
    ...(state === 'waiting' &&
      waits?.for === 'approval' && {
        approve: byWhy(
          denied('blueprint_approve') ??
            (control.mayApprove(run, principal)
              ? undefined
              : 'You deployed this run with this key, so this key cannot approve its steps. Somebody else can, with another key and the scope blueprint:approve.'),
        ),
      }),
    ...(canResume && {
      resume: {
        ...byWhy(denied('blueprint_resume') ?? (isLost ? undefined : belongs('Resume'))),
        unknown: stepsOf(did.filter((unit) => unit.state === 'unknown')),
      },
    }),
    ...(isOpen(state) && {
      cancel: {
        ...byWhy(denied('blueprint_cancel')),
        undo: control.mayUndo(run, principal) && !isUndo(goal) && undoable.length > 0,
      },
    }),
    ...(canUndo && {
      undo: {
        ...byWhy(denied('blueprint_undo') ?? belongs('Undo')),
        steps: undoDone.toReversed(),
        unsure: unsureUndoable,
      },
    }),
  };
}

const isUndone = ({ step, item }: Unit, units: readonly Unit[]): boolean =>
  units.some((unit) => unit.phase === 'undo' && unit.state === 'done' && unit.step === step && unit.item === item);
