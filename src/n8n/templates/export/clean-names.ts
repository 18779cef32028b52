import type { Node, Workflow } from '../../client/shapes.ts';
import { renamedReferences } from '../../workflows/edit/references.ts';
import { renamedNode } from '../../workflows/edit/wires.ts';

type Named = Pick<Workflow, 'nodes' | 'connections'> & { pinData?: Workflow['pinData'] };

/** Each costs a look at every expression. */
const MOST_RENAMED = 50;

/**
 * Renames nodes whose names hold something that others must not see, in connections and expressions, too. `renamed` has
 * the indexes of those nodes, `left` of those that are too many.
 */
export function cleanNames<W extends Named>(
  workflow: W,
  clean: (name: string) => string,
): { readonly workflow: W; readonly renamed: readonly number[]; readonly left: readonly number[] } {
  const taken = new Set(workflow.nodes.map(({ name }) => name));
  const affected = workflow.nodes.flatMap(({ name }, index) => (clean(name) === name ? [] : [index]));
  const renamed = affected.slice(0, MOST_RENAMED);
  let now = workflow;
  for (const index of renamed) {
    const { name: old } = now.nodes[index] as Node;
    let name = clean(old);
    for (let count = 2; taken.has(name); count++) name = `${clean(old)} ${count}`;
    taken.add(name);
    now = {
      ...now,
      nodes: now.nodes.map((node, at) => ({
        ...node,
        ...(at === index && { name }),
        parameters: renamedReferences(node.parameters, old, name),
      })),
      connections: renamedNode(now.connections, old, name),
      ...(now.pinData && {
        pinData: Object.fromEntries(Object.entries(now.pinData).map(([key, pins]) => [key === old ? name : key, pins])),
      }),
    };
  }
  return { workflow: now, renamed, left: affected.slice(MOST_RENAMED) };
}
