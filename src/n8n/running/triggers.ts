import { z } from 'zod';
import { type Node, nodeShape, type Workflow } from '../client/shapes.ts';
import type { Way } from './way.ts';
import { wayOf } from './ways.ts';

/** A node at which a workflow can begin. */
export interface Trigger {
  readonly node: Node;
  readonly way: Way;
}

/** The triggers that are not disabled. */
export function triggersOf(nodes: readonly Node[]): Trigger[] {
  return nodes.flatMap((node) => {
    const way = node.disabled ? undefined : wayOf(node);
    return way ? [{ node, way }] : [];
  });
}

const versionShape = z.looseObject({ nodes: z.array(nodeShape) });

/** The nodes of the published version; undefined if the workflow is not published. */
export function publishedNodes({ active, activeVersion, nodes }: Workflow): readonly Node[] | undefined {
  if (!active) return undefined;
  // The draft may differ from the published version. Older versions of n8n have no drafts.
  const version = versionShape.safeParse(activeVersion);
  return version.success ? version.data.nodes : nodes;
}
