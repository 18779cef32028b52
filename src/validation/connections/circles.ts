import type { Edge, NodeView } from '../subject/subject.ts';

/** The groups of nodes that lead back to themselves along these edges, in the order of the workflow. */
export function circlesAlong(edges: readonly Edge[]): NodeView[][] {
  const nodes = [...new Set(edges.flatMap(({ source, target }) => [source, target]))].sort((a, b) => a.index - b.index);
  const place = new Map(nodes.map((node, index) => [node, index]));
  const neighbours: number[][] = nodes.map(() => []);
  const own = new Set<number>();
  for (const { source, target } of edges) {
    const from = place.get(source) as number;
    neighbours[from]?.push(place.get(target) as number);
    if (source === target) own.add(from);
  }
  return circles(neighbours)
    .members.filter(([first = -1, second]) => second !== undefined || own.has(first))
    .map((members) => members.sort((a, b) => a - b).map((index) => nodes[index] as NodeView))
    .sort(([a], [b]) => (a as NodeView).index - (b as NodeView).index);
}

/**
 * Tarjan's strongly connected components; a component comes after those that it leads to. Without recursion: a workflow
 * may be ten thousand nodes long. `neighbours` lists the neighbours of each node. A node on no circle is its own group.
 */
export function circles(neighbours: readonly (readonly number[])[]): { component: Int32Array; members: number[][] } {
  const count = neighbours.length;
  const component = new Int32Array(count).fill(-1);
  const seen = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const next = new Int32Array(count);
  const members: number[][] = [];
  const open: number[] = [];
  let clock = 0;
  const enter = (node: number, path: number[]) => {
    seen[node] = clock;
    low[node] = clock++;
    open.push(node);
    path.push(node);
  };
  for (let start = 0; start < count; start++) {
    if (seen[start] !== -1) continue;
    const path: number[] = [];
    enter(start, path);
    while (path.length > 0) {
      const node = path.at(-1) as number;
      const feeder = neighbours[node]?.[next[node] as number];
      if (feeder !== undefined) {
        next[node] = (next[node] as number) + 1;
        if (seen[feeder] === -1) enter(feeder, path);
        else if (component[feeder] === -1) low[node] = Math.min(low[node] as number, seen[feeder] as number);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent] as number, low[node] as number);
      if (low[node] !== seen[node]) continue;
      const group = open.splice(open.lastIndexOf(node));
      for (const member of group) component[member] = members.length;
      members.push(group);
    }
  }
  return { component, members };
}
