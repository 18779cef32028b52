import type { Node, Workflow } from '../../client/shapes.ts';
import { placesIn, type Pointing } from '../../mapping/places.ts';
import { rewritten } from '../../mapping/rewritten.ts';
import { groupsWithin, writable } from '../../workflows/body.ts';
import { cleanNames } from './clean-names.ts';
import { cleanTexts, type Tell } from './clean-texts.ts';
import { withInnerWorkflows } from './inner-workflow.ts';
import { isMadeId, type KnownIds } from './known-ids.ts';
import { type Removed, removals } from './removals.ts';
import { newPaths } from './webhook-paths.ts';

/** What an export leaves out unless you ask to keep it. */
export const keepable = ['credentials', 'pinned_data', 'ids', 'urls', 'secrets', 'tags'] as const;
export type Keep = (typeof keepable)[number];

export interface SanitiseOptions {
  readonly keep: ReadonlySet<Keep>;
  /** The host of the n8n that it comes from. */
  readonly own?: string | undefined;
  /** What a workflow or data table that a place refers to is called elsewhere; undefined if nobody knows it. */
  readonly nameOf: (place: Pointing) => { readonly id: string; readonly name: string } | undefined;
  /** Whether the error workflow is exported, too, so that the reference to it stays. */
  readonly errorWorkflow?: boolean;
}

export interface Sanitised {
  readonly workflow: Record<string, unknown>;
  readonly removed: Removed;
}

/** Workflows within workflows. Nobody nests them deeper. */
const DEEPEST = 3;

/** A workflow as others may see it: what belongs to its owner or to this n8n is removed. Does not change its input. */
export function sanitised(given: Workflow, options: SanitiseOptions, depth = 0): Sanitised {
  const { keep } = options;
  const removed = removals();
  const paths = newPaths(given.nodes);
  const what = {
    secrets: !keep.has('secrets'),
    hosts: !keep.has('urls'),
    own: options.own,
    ids: keep.has('ids') ? undefined : idsIn(given, paths.words, keep),
  };
  const clean = <T>(value: T, where: string, node?: string, isNote = false): T => {
    const tell: Tell = (found, path, count, put) => removed.found(found, node, path, count, put);
    return cleanTexts(value, where, { ...what, isNote }, tell);
  };
  const { workflow, renamed, left } = cleanNames(given, (name) =>
    cleanTexts(name, '', { ...what, isNote: true }, () => {}),
  );
  for (const index of renamed) removed.line(`Something private in the name of node ${index + 1}, which is renamed`);
  for (const index of left) removed.keptName(index);
  const named = keep.has('ids') ? workflow : byName(workflow, options, removed);
  const { settings: held, nodeGroups, pinData, description, ...body } = writable(named);
  const settings = keep.has('ids') ? held : portableSettings(held, options, removed);
  const ids = new Map(body.nodes.map(({ id }, index) => [id, `node-${index + 1}`]));
  const nodes = body.nodes.map((node, index) => {
    const { credentials, notes, customTelemetryTags, parameters, ...rest } = keep.has('ids')
      ? node
      : withoutIds(node, `node-${index + 1}`, paths.parametersOf(node), removed);
    if (credentials && !keep.has('credentials')) removed.credential(node.name);
    const inner = withInnerWorkflows(parameters, (workflowWithin, where) => {
      if (depth >= DEEPEST) return { nodes: [], connections: {} };
      const found = sanitised(workflowWithin, { ...options, nameOf: byOwnName }, depth + 1);
      removed.within(node.name, where, found.removed);
      return found.workflow;
    });
    return {
      ...rest,
      parameters: clean(inner, 'parameters', node.name, isNote(node)),
      ...(notes !== undefined && { notes: clean(notes, 'notes', node.name, true) }),
      ...(customTelemetryTags !== undefined && {
        customTelemetryTags: clean(customTelemetryTags, 'customTelemetryTags', node.name),
      }),
      ...(credentials && keep.has('credentials') && { credentials }),
    };
  });
  if (pinData && Object.keys(pinData).length > 0 && !keep.has('pinned_data')) {
    removed.pins(Object.keys(pinData));
  }
  if (isFilled(workflow.staticData)) removed.line('Static data (what it remembers between runs)');
  const tags = (workflow.tags ?? []).map(({ name }) => name);
  if (tags.length > 0 && !keep.has('tags')) removed.line(`Tags: ${tags.length}`);
  const groups = groupsWithin(nodeGroups, body.nodes);
  return {
    workflow: {
      name: clean(body.name, 'name'),
      ...(description !== undefined && { description: clean(description, 'description', undefined, true) }),
      nodes,
      connections: body.connections,
      // Without it n8n runs the old order. Whoever imports the workflow may default to the new one.
      settings: { executionOrder: 'v0', ...clean(settings, 'settings') },
      ...(groups &&
        groups.length > 0 && { nodeGroups: keep.has('ids') ? groups : clean(regrouped(groups, ids), 'nodeGroups') }),
      ...(pinData && keep.has('pinned_data') && { pinData: clean(pinData, 'pinData') }),
      ...(tags.length > 0 && keep.has('tags') && { tags: clean(tags, 'tags').map((name) => ({ name })) }),
    },
    removed,
  };
}

const isNote = ({ type }: Node): boolean => type === 'n8n-nodes-base.stickyNote';

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const byOwnName = ({ name }: Pointing) => (name === undefined ? undefined : { id: name, name });

const words = {
  credential: 'YOUR_CREDENTIAL_ID',
  'data table': 'YOUR_DATA_TABLE_ID',
  'sub-workflow': 'YOUR_WORKFLOW_ID',
  'error workflow': 'YOUR_WORKFLOW_ID',
  caller: 'YOUR_WORKFLOW_ID',
} as const;

/** The ids of this n8n that a text of the workflow may repeat, as in a link to it. */
function idsIn(workflow: Workflow, paths: ReadonlyMap<string, string>, keep: ReadonlySet<Keep>): KnownIds {
  const { id, versionId, activeVersionId, meta, shared } = workflow;
  const projects = Array.isArray(shared) ? (shared as { projectId?: unknown }[]).map(({ projectId }) => projectId) : [];
  const known: (readonly [unknown, string])[] = [
    [id, 'YOUR_WORKFLOW_ID'],
    [versionId, 'YOUR_VERSION_ID'],
    [activeVersionId, 'YOUR_VERSION_ID'],
    [(meta as { instanceId?: unknown } | null | undefined)?.instanceId, 'YOUR_INSTANCE_ID'],
    ...projects.map((project) => [project, 'YOUR_PROJECT_ID'] as const),
    ...workflow.nodes.map(({ webhookId }) => [webhookId, 'YOUR_WEBHOOK_ID'] as const),
    ...placesIn(workflow).flatMap((place) =>
      'id' in place && (place.kind !== 'credential' || !keep.has('credentials'))
        ? [[place.id, words[place.kind]] as const]
        : [],
    ),
    ...paths,
  ];
  return new Map(known.filter((one): one is [string, string] => typeof one[0] === 'string' && isMadeId(one[0])));
}

/** References by id become references by name: an id means nothing elsewhere. */
function byName(workflow: Workflow, { nameOf, errorWorkflow }: SanitiseOptions, removed: Removed): Workflow {
  return rewritten(workflow, (place) => {
    if (place.kind === 'credential' || place.kind === 'caller') return undefined;
    if (place.kind === 'error workflow' && !errorWorkflow) return undefined;
    const to = nameOf(place);
    if (place.kind !== 'error workflow' && place.id !== undefined) removed.id(place.kind, place.node, to?.name);
    return to ?? 'none';
  });
}

/** Settings that name things of this n8n. */
function portableSettings(
  settings: Record<string, unknown>,
  { errorWorkflow: keepsError = false }: SanitiseOptions,
  removed: Removed,
): Record<string, unknown> {
  const { errorWorkflow, callerIds, credentialResolverId, callerPolicy, ...rest } = settings;
  const isListed = callerPolicy === 'workflowsFromAList';
  const isSet = errorWorkflow !== undefined && errorWorkflow !== '' && errorWorkflow !== 'DEFAULT';
  if (isSet && !keepsError) removed.line('The error workflow (settings.errorWorkflow)');
  if (callerIds !== undefined && callerIds !== '') removed.line('The workflows that may call it (settings.callerIds)');
  if (credentialResolverId !== undefined) removed.line('settings.credentialResolverId');
  return {
    ...rest,
    ...(callerPolicy !== undefined && !isListed && { callerPolicy }),
    ...(isSet && keepsError && { errorWorkflow }),
  };
}

function withoutIds(node: Node, newId: string, parameters: Node['parameters'], removed: Removed): Node {
  const { id: _, webhookId, ...rest } = node;
  if (webhookId !== undefined) removed.webhook(node.name);
  return { ...rest, id: newId, parameters };
}

const regrouped = (groups: readonly unknown[], ids: ReadonlyMap<string | undefined, string>): unknown[] =>
  (groups as { nodeIds?: string[] }[]).map((group, index) => ({
    ...group,
    id: `group-${index + 1}`,
    ...(group.nodeIds && { nodeIds: group.nodeIds.flatMap((old) => ids.get(old) ?? []) }),
  }));
