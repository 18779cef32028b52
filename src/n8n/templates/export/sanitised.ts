import type { Node, Workflow } from '../../client/shapes.ts';
import type { Pointing } from '../../mapping/places.ts';
import { rewritten } from '../../mapping/rewritten.ts';
import { wayOf } from '../../running/ways.ts';
import { groupsWithin, writable } from '../../workflows/body.ts';
import { knownForms } from '../../../validation/credentials/secret-patterns.ts';
import { cleanTexts, type Tell } from './clean-texts.ts';
import { slugOf } from './file-name.ts';
import { type Removed, removals } from './removals.ts';

/** What an export leaves out unless you ask to keep it. */
export const keepable = ['credentials', 'pinned_data', 'ids', 'urls', 'secrets', 'tags'] as const;
export type Keep = (typeof keepable)[number];

export interface SanitiseOptions {
  readonly keep: ReadonlySet<Keep>;
  /** The host of the n8n that it comes from. */
  readonly own?: string | undefined;
  /** The name of a workflow or data table that a place refers to; undefined if nobody knows it. */
  readonly nameOf: (place: Pointing) => string | undefined;
  /** Whether the error workflow is exported, too, so that the reference to it stays. */
  readonly errorWorkflow?: boolean;
}

export interface Sanitised {
  readonly workflow: Record<string, unknown>;
  readonly removed: Removed;
}

/** A workflow as others may see it: what belongs to its owner or to this n8n is removed. Does not change its input. */
export function sanitised(workflow: Workflow, options: SanitiseOptions): Sanitised {
  const { keep } = options;
  const removed = removals();
  const named = keep.has('ids') ? workflow : byName(workflow, options, removed);
  const { settings: given, nodeGroups, pinData, description, ...body } = writable(named);
  const settings = keep.has('ids') ? given : portableSettings(given, options, removed);
  const clean = <T>(value: T, where: string, node?: string, isNote = false): T => {
    const tell: Tell = (what, path, count, put) => removed.found(what, node, path, count, put);
    const what = { secrets: !keep.has('secrets'), hosts: !keep.has('urls'), own: options.own, isNote };
    return cleanTexts(value, where, what, tell);
  };
  const ids = new Map(body.nodes.map(({ id }, index) => [id, `node-${index + 1}`]));
  const nodes = body.nodes.map((node, index) => {
    const { credentials, notes, ...rest } = keep.has('ids') ? node : withoutIds(node, `node-${index + 1}`, removed);
    if (credentials && !keep.has('credentials')) removed.credential(node.name);
    if (!knownForms(node.name).next().done) removed.keptName(index);
    return {
      ...rest,
      parameters: clean(rest.parameters, 'parameters', node.name, isNote(node)),
      ...(notes !== undefined && { notes: clean(notes, 'notes', node.name, true) }),
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
      ...(tags.length > 0 && keep.has('tags') && { tags: tags.map((name) => ({ name })) }),
    },
    removed,
  };
}

const isNote = ({ type }: Node): boolean => type === 'n8n-nodes-base.stickyNote';

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** References by id become references by name: an id means nothing elsewhere. */
function byName(workflow: Workflow, { nameOf, errorWorkflow }: SanitiseOptions, removed: Removed): Workflow {
  return rewritten(workflow, (place) => {
    if (place.kind === 'credential' || place.kind === 'caller') return undefined;
    if (place.kind === 'error workflow' && !errorWorkflow) return undefined;
    const name = nameOf(place);
    if (place.kind !== 'error workflow' && place.id !== undefined) removed.id(place.kind, place.node, name);
    return name === undefined ? 'none' : { id: name, name };
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

/** A UUID that n8n made, as a path nobody can guess. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function withoutIds(node: Node, newId: string, removed: Removed): Node {
  const { id: _, webhookId, parameters, ...rest } = node;
  const path = parameters['path'];
  const options = parameters['options'];
  const inOptions = (options as { path?: unknown } | undefined)?.path;
  const isId = (one: unknown) => typeof one === 'string' && one !== '' && (one === webhookId || uuid.test(one));
  const addressed = wayOf(node)?.address !== undefined;
  const own = slugOf(node.name) || 'webhook';
  if (webhookId !== undefined) removed.webhook(node.name);
  return {
    id: newId,
    ...rest,
    parameters: {
      ...parameters,
      ...(addressed && isId(path) && { path: own }),
      ...(addressed && isId(inOptions) && { options: { ...(options as object), path: own } }),
    },
  };
}

const regrouped = (groups: readonly unknown[], ids: ReadonlyMap<string | undefined, string>): unknown[] =>
  (groups as { nodeIds?: string[] }[]).map((group, index) => ({
    ...group,
    id: `group-${index + 1}`,
    ...(group.nodeIds && { nodeIds: group.nodeIds.flatMap((old) => ids.get(old) ?? []) }),
  }));
