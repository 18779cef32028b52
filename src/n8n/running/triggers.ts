import type { Node } from '../client/shapes.ts';
import type { Way } from './way.ts';
import { wayOf } from './ways.ts';

/** A node at which a workflow can start. */
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
