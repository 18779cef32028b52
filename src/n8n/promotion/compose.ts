import { createHash } from 'node:crypto';
import type { Node, Workflow } from '../client/shapes.ts';
import type { WorkflowBody } from '../client/workflows.ts';
import { describeDiff, diffWorkflows } from '../diff/diff.ts';
import { stableJson } from '../generate/stable-json.ts';
import type { Pointing } from '../mapping/places.ts';
import { rewritten, type Target } from '../mapping/rewritten.ts';
import { writable } from '../workflows/body.ts';
import { UNSET } from '../workflows/settings.ts';

export interface Composing {
  readonly resolve: (place: Pointing) => Target;
  /** The workflow that is overwritten. */
  readonly present?: Workflow | undefined;
  readonly pinData: boolean;
}

/** A workflow of the source as it is to be on the target. */
export function composed(source: Workflow, { resolve, present, pinData }: Composing): WorkflowBody {
  const { pinData: pins, description, ...body } = writable(rewritten(source, resolve));
  return {
    ...body,
    ...(!present && description && { description }),
    nodes: withWebhookIds(body.nodes, present?.nodes ?? []),
    settings: settingsFor(body.settings, present?.settings ?? {}),
    ...(present && hasOtherDescription(source, present) && { description: source.description ?? '' }),
    ...(pinData && { pinData: pins ?? {} }),
  };
}

const hasOtherDescription = (one: Workflow, other: Workflow): boolean =>
  (one.description ?? '') !== (other.description ?? '');

/** n8n gives a node a webhook id if it needs one and the source has none. It keeps that id. */
function withWebhookIds(nodes: readonly Node[], present: readonly Node[]): Node[] {
  const known = new Map(present.map((node) => [node.id, node.webhookId]));
  return nodes.map((node) => {
    const webhookId = node.webhookId ?? known.get(node.id);
    return webhookId === undefined ? node : { ...node, webhookId };
  });
}

type Settings = Readonly<Record<string, unknown>>;

/** n8n merges settings, so a setting that the source lacks has to be unset explicitly. */
function settingsFor(wanted: Settings, present: Settings): Record<string, unknown> {
  const surplus = Object.keys(present).filter((key) => !Object.hasOwn(wanted, key) && Object.hasOwn(UNSET, key));
  return { ...wanted, ...Object.fromEntries(surplus.map((key) => [key, UNSET[key]])) };
}

/** Without settings that mean the same as none. */
const quietSettings = (settings: Settings | null | undefined): Settings =>
  Object.fromEntries(
    Object.entries(settings ?? {}).filter(
      ([key, value]) => value !== undefined && value !== null && !(Object.hasOwn(UNSET, key) && UNSET[key] === value),
    ),
  );

/** What differs between a workflow and what is to replace it, in words. */
export function changesOf(present: Workflow, body: WorkflowBody): string[] {
  const before = { ...writable(present), settings: quietSettings(present.settings) };
  const after = { ...writable(present), ...body, settings: quietSettings({ ...present.settings, ...body.settings }) };
  if (body.pinData) Object.assign(before, { pinData: present.pinData ?? {} });
  return describeDiff(diffWorkflows({ description: '', ...before }, { description: '', ...after }));
}

/** A hash of what people see in a workflow, except its description, which lists of n8n leave out. */
export function contentHash(workflow: Pick<Workflow, 'name' | 'nodes' | 'connections'> & Partial<Workflow>): string {
  const { name, nodes, connections, settings, nodeGroups } = writable(workflow);
  return hashOf([name, nodes, connections, quietSettings(settings), nodeGroups ?? []]);
}

export const hashOf = (value: unknown): string =>
  createHash('sha256').update(stableJson(value)).digest('base64url').slice(0, 22);
