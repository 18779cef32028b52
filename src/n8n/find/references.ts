import type { Node, Workflow } from '../client/shapes.ts';
import { triggersOf } from '../running/triggers.ts';
import { form, formPath } from '../running/ways/form.ts';
import { webhookPath } from '../running/ways/webhook.ts';
import { leavesOf } from './leaves.ts';
import { locatedIn } from './located.ts';
import { versionsOf } from './scan.ts';
import { pathMatches, webhookPathIn } from './webhook-match.ts';

export type ReferenceKind = 'sub-workflow' | 'error workflow' | 'credential' | 'data table' | 'webhook';

/** Something a workflow needs. */
export interface Reference {
  readonly kind: ReferenceKind;
  /** For a webhook, its path. Absent if an expression sets it at run time, or if only a name is known. */
  readonly id?: string;
  /** The name, or the expression that sets it. */
  readonly name?: string;
  readonly node?: string;
  readonly where: string;
  /** Only in the live version, not in the draft. */
  readonly live?: true;
}

/** Everything that the draft and the live version of a workflow refer to. */
export function referencesOf(workflow: Workflow): Reference[] {
  const seen = new Set<string>();
  const errorWorkflow = workflow.settings?.errorWorkflow;
  const own: Reference[] =
    typeof errorWorkflow === 'string' && errorWorkflow !== '' && errorWorkflow !== 'DEFAULT'
      ? [{ kind: 'error workflow', id: errorWorkflow, where: 'settings.errorWorkflow' }]
      : [];
  const inNodes = versionsOf(workflow).flatMap(({ of, nodes }) =>
    nodes.flatMap((node) =>
      referencesIn(node).map((one): Reference => ({ ...one, node: node.name, ...(of === 'live' && { live: true }) })),
    ),
  );
  return [...own, ...inNodes].filter(({ kind, id, name, node, where }) => {
    const key = JSON.stringify([kind, id ?? name, node, where]);
    return !seen.has(key) && seen.add(key);
  });
}

function referencesIn(node: Node): Reference[] {
  return [
    ...Object.entries(node.credentials ?? {}).map(
      ([type, { id, name }]): Reference => ({
        kind: 'credential',
        ...(id && { id }),
        name,
        where: `credentials.${type}`,
      }),
    ),
    ...locatedIn(node).map(
      ({ expression, ...one }): Reference => ({ ...(expression !== undefined && { name: expression }), ...one }),
    ),
    ...webhooksCalled(node),
  ];
}

/** Webhook URLs the node calls. Which workflow answers there, only that workflow can tell. */
function webhooksCalled(node: Node): Reference[] {
  return [...leavesOf(node)].flatMap(({ where, text }): Reference[] => {
    const path = /https?:\/\/[^\s"'`]*?\/(?:webhook|form)\/([^\s"'`?#]+)/i.exec(text)?.[1];
    return path === undefined ? [] : [{ kind: 'webhook', id: webhookPathIn(path), where }];
  });
}

/** Whether a workflow answers at this webhook or form path. */
export function answersAt(workflow: Workflow, path: string): boolean {
  return versionsOf(workflow).some(({ nodes }) =>
    triggersOf(nodes).some(
      ({ node, way }) => pathMatches(webhookPath(node), path) || (way === form && pathMatches(formPath(node), path)),
    ),
  );
}
