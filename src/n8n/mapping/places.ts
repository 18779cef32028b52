import type { Node, Workflow } from '../client/shapes.ts';
import { leavesOf } from '../find/leaves.ts';
import { type LocatedKind, locatedIn } from '../find/located.ts';

/** The part of a workflow that is written: its draft. */
export type Draft = Pick<Workflow, 'nodes' | 'connections'> & Partial<Workflow>;

interface At {
  /** The node; absent for a setting of the workflow. */
  readonly node?: string;
  /** Path within the node or the workflow: `credentials.slackApi`, `parameters.workflowId`, `settings.errorWorkflow`. */
  readonly where: string;
}

/** A place in a workflow that names something outside of it, by id, by name or both. */
export type Place = At &
  (
    | { readonly kind: 'credential'; readonly type: string; readonly id?: string; readonly name: string }
    | {
        readonly kind: 'sub-workflow' | 'error workflow' | 'caller' | 'data table';
        readonly id?: string;
        readonly name?: string;
      }
    /** An expression that picks a workflow or a data table at run time: nobody can say which. */
    | { readonly kind: 'dynamic'; readonly of: LocatedKind; readonly expression: string }
    /** `$vars.NAME` in an expression. Variables have the same name everywhere. */
    | { readonly kind: 'variable'; readonly name: string }
  );

/** The places that `rewritten` can point elsewhere. */
export type Pointing = Extract<
  Place,
  { kind: 'credential' | 'sub-workflow' | 'error workflow' | 'caller' | 'data table' }
>;

export const isPointing = (place: Place): place is Pointing => place.kind !== 'dynamic' && place.kind !== 'variable';

/** n8n's word for "no error workflow of its own". */
export const NO_ERROR_WORKFLOW = 'DEFAULT';

/** Everything outside of it that the draft of a workflow names. */
export function placesIn(workflow: Draft): Place[] {
  return [...placesInSettings(workflow.settings ?? {}), ...workflow.nodes.flatMap(placesInNode)];
}

function placesInSettings({ errorWorkflow, callerIds }: Record<string, unknown>): Place[] {
  return [
    ...(typeof errorWorkflow === 'string' && errorWorkflow !== '' && errorWorkflow !== NO_ERROR_WORKFLOW
      ? [{ kind: 'error workflow' as const, id: errorWorkflow, where: 'settings.errorWorkflow' }]
      : []),
    ...callersIn(callerIds).map((id) => ({ kind: 'caller' as const, id, where: 'settings.callerIds' })),
  ];
}

/** The workflows that may call this one: ids, separated by commas. */
export const callersIn = (callerIds: unknown): string[] =>
  typeof callerIds === 'string'
    ? callerIds
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== '')
    : [];

function placesInNode(node: Node): Place[] {
  const credentials = Object.entries(node.credentials ?? {}).map(
    ([type, { id, name }]): Place => ({
      kind: 'credential',
      type,
      ...(id && { id }),
      name,
      node: node.name,
      where: `credentials.${type}`,
    }),
  );
  const located = locatedIn(node).map(
    ({ kind, where, expression, ...named }): Place =>
      expression === undefined
        ? { kind, ...named, node: node.name, where }
        : { kind: 'dynamic', of: kind, expression, node: node.name, where },
  );
  return [...credentials, ...located, ...variablesIn(node)];
}

const VARIABLE = /\$vars(?:\.([A-Za-z_$][\w$]*)|\[\s*(?:'([^']+)'|"([^"]+)")\s*\])/g;

function variablesIn(node: Node): Place[] {
  const found = new Map<string, Place>();
  for (const { text, where } of leavesOf(node)) {
    for (const [, dotted, single, double] of text.matchAll(VARIABLE)) {
      const name = (dotted ?? single ?? double) as string;
      if (!found.has(name)) found.set(name, { kind: 'variable', name, node: node.name, where });
    }
  }
  return [...found.values()];
}
