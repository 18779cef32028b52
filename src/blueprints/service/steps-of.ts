import type { Callable } from '../../kernel/callable.ts';
import { needsConfirmation } from '../../kernel/confirmation.ts';
import type { Effect } from '../../kernel/effect.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Action, Definition, Nested, Step } from '../definition/shape.ts';
import { toolFor } from '../definition/tool-for.ts';
import type { CarryDeps } from '../runs/carrying.ts';
import { refusalOf } from '../runs/refusal.ts';

/** A step of a blueprint or of one that it calls, with what is known about it in advance. */
export interface PlannedStep {
  /** `provision`, or `setup.database` for a step of a blueprint that the step `setup` calls. */
  readonly path: string;
  readonly step: Step;
  readonly effect?: Effect;
  /** Whether it has to be confirmed; `human`: a person approves it while it runs. */
  readonly confirm: boolean | 'human';
  /** Why this principal may not do it. */
  readonly refused?: string;
  /** Its tools that are not there now. */
  readonly absent?: readonly string[];
}

/** What has to be known about tools in advance. */
export interface Tools extends Pick<CarryDeps, 'tool' | 'isReadOnly'> {
  /** The tools that calls of this name may reach. */
  reachable(name: string): readonly Callable[];
}

/** Every step in order. */
export function stepsOf(
  definition: Definition,
  nested: Readonly<Record<string, Nested>>,
  principal: Principal,
  tools: Tools,
  prefix = '',
): PlannedStep[] {
  return definition.steps.flatMap((step): PlannedStep[] => {
    const path = `${prefix}${step.id}`;
    const { work } = step;
    if (work.kind === 'approval') return [{ path, step, confirm: 'human' }];
    if (work.kind === 'wait' || work.kind === 'event') return [{ path, step, confirm: false }];
    if (work.kind === 'blueprint') {
      const called = Object.hasOwn(nested, work.blueprint) ? nested[work.blueprint] : undefined;
      return [
        { path, step, confirm: step.confirm ?? false },
        ...(called ? stepsOf(called.definition, nested, principal, tools, `${path}.`) : []),
      ];
    }
    const [did, undone] = [work, step.undo].map((action) => action && aboutAction(action, principal, tools));
    const confirm = step.confirm ?? (did?.confirm || undone?.confirm) ?? false;
    const refused = did?.refused ?? (undone?.refused === undefined ? undefined : `Its undo: ${undone.refused}`);
    const absent = [did?.absent, undone?.absent].filter((name) => name !== undefined);
    return [
      {
        path,
        step,
        confirm,
        ...(did?.effect && { effect: did.effect }),
        ...(refused !== undefined && { refused }),
        ...(absent.length > 0 && { absent }),
      },
    ];
  });
}

function aboutAction(action: Action, principal: Principal, tools: Tools) {
  const name = toolFor(action);
  const callable = name === undefined ? undefined : tools.tool(name);
  // Only what is literal is known yet: an argument may decide what a call does.
  const refused = refusalOf(action.kind === 'tool' ? { ...action, arguments: {} } : action, principal, tools);
  return {
    effect: callable?.entry.effect ?? ('execute' as const),
    confirm: name !== undefined && callable ? confirmationFor(name, principal, tools) : principal.confirm === 'writes',
    absent: callable ? undefined : name,
    // A service that is only wanted may be absent: then the step is skipped.
    refused: refused?.code === 'not_found' ? undefined : refused?.message,
  };
}

/** Arguments may route a call to another server, which decides what needs confirmation. What may be needed is asked for. */
function confirmationFor(name: string, principal: Principal, { reachable }: Tools): boolean | 'human' {
  const needs = new Set(reachable(name).map((one) => needsConfirmation(one, principal)));
  return needs.has(true) || (needs.has('human') && 'human');
}

/** The steps that somebody has to confirm before the run begins. */
export const confirmedSteps = (steps: readonly PlannedStep[]): PlannedStep[] =>
  steps.filter(({ confirm }) => confirm === true);
