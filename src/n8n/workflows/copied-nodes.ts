import { randomUUID } from 'node:crypto';
import type { Node, Workflow } from '../client/shapes.ts';
import { wayOf } from '../running/ways.ts';

/** Whether a node is a trigger with its own URL. */
const isAddressed = (node: Node): boolean => wayOf(node)?.address !== undefined;

const SUFFIX = /-[0-9a-f]{8}$/;

type Copied = Pick<Workflow, 'nodes'> & {
  readonly nodeGroups: unknown[];
  /** Names of nodes whose path is an expression: it stays unchanged. */
  readonly shared: readonly string[];
};

/** The nodes of a copy, with new ids and webhook paths: n8n does not publish two workflows with the same path. */
export function copiedNodes({ nodes, nodeGroups }: Pick<Workflow, 'nodes'> & { nodeGroups?: unknown }): Copied {
  const ids = new Map<string, string>();
  const copies = nodes.map((node) => {
    const id = randomUUID();
    if (node.id !== undefined) ids.set(node.id, id);
    return { ...withOwnAddress(node), id };
  });
  const groups = (Array.isArray(nodeGroups) ? nodeGroups : []) as { nodeIds?: string[] }[];
  return {
    nodes: copies,
    nodeGroups: groups.map((group) => ({
      ...group,
      id: randomUUID(),
      nodeIds: (group.nodeIds ?? []).flatMap((old) => ids.get(old) ?? []),
    })),
    shared: copies.flatMap((node) => {
      const { path } = node.parameters;
      return isAddressed(node) && typeof path === 'string' && path.startsWith('=') ? [node.name] : [];
    }),
  };
}

function withOwnAddress(node: Node): Node {
  const addressed = isAddressed(node);
  if (node.webhookId === undefined && !addressed) return node;
  const webhookId = randomUUID();
  if (!addressed) return { ...node, webhookId };
  const { path, options } = node.parameters;
  const inOptions = (options as { path?: unknown } | undefined)?.path;
  const renewed = (old: string) => ownPath(old, node.webhookId, webhookId);
  return {
    ...node,
    webhookId,
    parameters: {
      ...node.parameters,
      ...(typeof path === 'string' && { path: renewed(path) }),
      ...(typeof inOptions === 'string' && { options: { ...(options as object), path: renewed(inOptions) } }),
    },
  };
}

/** A new path like `orders-3f9a1c04`, still readable. If the path was the webhook's id, it becomes the new id. */
function ownPath(path: string, oldId: string | undefined, newId: string): string {
  if (path === '' || path.startsWith('=')) return path;
  if (path === oldId) return newId;
  const mark = newId.slice(0, 8);
  const segments = path.split('/');
  const at = segments.findIndex((segment) => segment !== '' && !segment.startsWith(':'));
  if (at < 0) return `${mark}/${path.replace(/^\/+/, '')}`;
  return segments.with(at, `${(segments[at] as string).replace(SUFFIX, '')}-${mark}`).join('/');
}

/** The note about paths that a copy shares with its original. */
export const sharedAddress = (nodes: readonly string[]): string =>
  `The path of ${nodes.join(', ')} is an expression, so the copy has the same path: n8n publishes only one of the two. Change it with n8n_edit_workflow (set_parameter, path).`;
