import { randomUUID } from 'node:crypto';
import type { WorkflowBody } from '../client/workflows.ts';
import { withPlaces } from '../../nodes/canvas/place-nodes.ts';
import type { Connections, Node, Workflow } from '../client/shapes.ts';
import { type NodeInput, nodeKeys } from './node-input.ts';
import { writableSettings } from './settings.ts';

const keys: ReadonlySet<string> = new Set(nodeKeys);

/** A workflow as n8n accepts it: without the fields that n8n returns but refuses to be sent. */
export function writable(workflow: Pick<Workflow, 'name' | 'nodes' | 'connections'> & Partial<Workflow>): WorkflowBody {
  const { name, nodes, connections, description, settings, pinData, nodeGroups } = workflow;
  return {
    name,
    nodes: nodes.map(writableNode),
    connections,
    settings: writableSettings(settings),
    ...(typeof description === 'string' && { description }),
    ...(pinData && { pinData }),
    ...(Array.isArray(nodeGroups) && { nodeGroups }),
  };
}

function writableNode(node: Node): Node {
  return Object.fromEntries(Object.entries(node).filter(([key]) => keys.has(key))) as Node;
}

/**
 * Completes the nodes a caller sent: missing fields come from the existing node with the same type and the same id or
 * name. So a caller who does not repeat credentials, notes or positions does not lose them. With `exact`, only what
 * identifies the node comes from there: a new webhook id would change its URL.
 */
export function completedNodes(
  given: readonly NodeInput[],
  connections: Connections,
  existing: readonly Node[] = [],
  exact = false,
): Node[] {
  const byId = new Map(existing.flatMap((node) => (node.id === undefined ? [] : [[node.id, node] as const])));
  const named = new Set(given.map(({ id }) => id));
  const complete: Node[] = [];
  for (const input of given) {
    const same = input.id === undefined ? undefined : byId.get(input.id);
    // An existing node that the caller lists by id is never matched by name: another node may have taken its name.
    const known = same ?? existing.find((node) => node.name === input.name && !named.has(node.id ?? ''));
    const kept = known?.type === input.type ? known : undefined;
    const node = {
      ...(exact ? identityOf(kept) : kept),
      ...input,
      parameters: input.parameters ?? (exact ? undefined : kept?.parameters) ?? {},
    } as Node;
    node.id ??= randomUUID();
    complete.push(node);
  }
  return withPlaces(complete, connections);
}

function identityOf(node: Node | undefined): Partial<Node> {
  const { id, position, typeVersion, webhookId } = node ?? {};
  return Object.fromEntries(
    Object.entries({ id, position, typeVersion, webhookId }).filter(([, value]) => value !== undefined),
  );
}

/** The groups without nodes that no longer exist: n8n would refuse them. */
export function groupsWithin(groups: unknown, nodes: readonly { id?: string | undefined }[]): unknown[] | undefined {
  if (!Array.isArray(groups)) return undefined;
  const known = new Set(nodes.map(({ id }) => id));
  return (groups as { nodeIds?: unknown }[])
    .map((group) =>
      Array.isArray(group.nodeIds)
        ? { ...group, nodeIds: (group.nodeIds as string[]).filter((id) => known.has(id)) }
        : group,
    )
    .filter(({ nodeIds }) => !Array.isArray(nodeIds) || nodeIds.length > 0);
}
