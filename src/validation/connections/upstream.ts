import { circles } from './circles.ts';
import type { Edge, NodeSet, NodeView } from '../subject/subject.ts';

/**
 * The nodes from which data can reach each node. Nodes on one circle share a set, and sets are bitmaps: ten thousand
 * nodes in a row take megabytes and milliseconds instead of a hundred million entries.
 */
export function upstreamOf(nodes: readonly NodeView[], edges: readonly Edge[]): (node: NodeView) => NodeSet {
  const place = new Map(nodes.map((node, index) => [node, index]));
  const graph = graphOf(nodes, edges, place);
  const { component, members } = circles(graph.feeders);
  const words = Math.ceil(nodes.length / 32);
  const rows: Uint32Array[] = [];
  // Feeders come first, so the rows to merge already exist.
  for (const [id, group] of members.entries()) {
    const row = new Uint32Array(words);
    for (const member of group) {
      for (const feeder of graph.feeders[member] as number[]) {
        const other = component[feeder] as number;
        if (other !== id) merge(row, rows[other] as Uint32Array);
      }
      for (const feeder of graph.direct[member] as number[]) mark(row, feeder);
    }
    rows.push(row);
  }
  return (node) => {
    const index = place.get(node);
    return setOf(
      nodes,
      place,
      index === undefined ? new Uint32Array(words) : (rows[component[index] as number] as Uint32Array),
    );
  };
}

/** Which node feeds which. A sub-node sees the data that reaches its node, but not that node itself. */
function graphOf(nodes: readonly NodeView[], edges: readonly Edge[], place: ReadonlyMap<NodeView, number>) {
  const direct: number[][] = nodes.map(() => []);
  const feeders: number[][] = nodes.map(() => []);
  for (const edge of edges) {
    const source = place.get(edge.source) as number;
    const target = place.get(edge.target) as number;
    if (edge.kind === 'main') {
      direct[target]?.push(source);
      feeders[target]?.push(source);
    } else {
      feeders[source]?.push(target);
    }
  }
  return { direct, feeders };
}

function mark(row: Uint32Array, index: number): void {
  row[index >>> 5] = (row[index >>> 5] as number) | (1 << (index & 31));
}

function merge(row: Uint32Array, other: Uint32Array): void {
  for (let word = 0; word < row.length; word++) row[word] = (row[word] as number) | (other[word] as number);
}

function setOf(nodes: readonly NodeView[], place: ReadonlyMap<NodeView, number>, row: Uint32Array): NodeSet {
  const at = (index: number) => ((row[index >>> 5] as number) & (1 << (index & 31))) !== 0;
  return {
    has: (node) => {
      const index = place.get(node);
      return index !== undefined && at(index);
    },
    get size() {
      let size = 0;
      for (let index = 0; index < nodes.length; index++) if (at(index)) size++;
      return size;
    },
    *[Symbol.iterator]() {
      for (const [index, node] of nodes.entries()) if (at(index)) yield node;
    },
  };
}
