import type { Workflow } from '../client/shapes.ts';
import { answersAt, type Reference, type ReferenceKind, referencesOf } from './references.ts';

/** What to find the dependencies of. */
export type Target =
  | { readonly kind: 'workflow'; readonly workflow: Workflow }
  | { readonly kind: 'credential' | 'data table'; readonly id?: string; readonly name?: string };

/** A workflow and one thing it needs. */
export interface Use {
  readonly workflow: Workflow;
  readonly reference: Reference;
}

/** A workflow that a change affects. */
export interface Affected {
  readonly workflow: Workflow;
  /** How many steps away. */
  readonly depth: number;
  /** The workflow in between, if it is not affected directly. */
  readonly through?: string;
}

export interface Dependencies {
  readonly uses: readonly Reference[];
  readonly usedBy: readonly Use[];
  readonly affected: readonly Affected[];
}

/** What the target needs, which workflows need it, and every workflow a change affects, directly or through others. */
export function dependenciesOf(
  target: Target,
  all: readonly Workflow[],
  naming: (reference: Reference) => Reference = (reference) => reference,
): Dependencies {
  const needs = (workflow: Workflow) => referencesOf(workflow).map(naming);
  const references = new Map(all.map((workflow) => [workflow.id, needs(workflow)]));
  const usersOf = (wanted: Target): Use[] =>
    all.flatMap((workflow) =>
      (references.get(workflow.id) ?? [])
        .filter((reference) => isMeant(reference, wanted) && !isSame(wanted, workflow))
        .map((reference) => ({ workflow, reference })),
    );
  const usedBy = usersOf(target);
  return {
    uses: target.kind === 'workflow' ? (references.get(target.workflow.id) ?? needs(target.workflow)) : [],
    usedBy,
    affected: reach(target, usedBy, usersOf),
  };
}

function reach(target: Target, direct: readonly Use[], usersOf: (of: Target) => Use[]): Affected[] {
  const found = new Map<string, Affected>();
  let ring = direct.map(({ workflow }): Affected => ({ workflow, depth: 1 }));
  while (ring.length > 0) {
    const fresh = ring.filter(({ workflow }) => !found.has(workflow.id) && !isSame(target, workflow));
    for (const one of fresh) if (!found.has(one.workflow.id)) found.set(one.workflow.id, one);
    ring = fresh.flatMap(({ workflow, depth }) =>
      usersOf({ kind: 'workflow', workflow })
        // A workflow does not fail because its error workflow does.
        .filter(({ reference }) => reference.kind !== 'error workflow')
        .map((use): Affected => ({ workflow: use.workflow, depth: depth + 1, through: workflow.name })),
    );
  }
  return [...found.values()];
}

const isSame = (target: Target, { id }: Workflow): boolean => target.kind === 'workflow' && target.workflow.id === id;

const toWorkflow: ReadonlySet<ReferenceKind> = new Set(['sub-workflow', 'error workflow']);

function isMeant({ kind, id, name }: Reference, target: Target): boolean {
  if (target.kind !== 'workflow') {
    // Compare names only if neither side has an id.
    return (
      kind === target.kind && (id !== undefined || target.id !== undefined ? id === target.id : name === target.name)
    );
  }
  if (id === undefined) return false;
  return toWorkflow.has(kind) ? id === target.workflow.id : kind === 'webhook' && answersAt(target.workflow, id);
}
