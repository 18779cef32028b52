import { isSticky } from './node-size.ts';
import type { Placeable, Wire } from './wires.ts';

/** Maps each sub-node without a position to the node it serves: the first, if it serves several. */
export function mastersOf(
  nodes: readonly Placeable[],
  wires: readonly Wire[],
  places: readonly unknown[],
): Map<number, { master: number; kind: string }> {
  const inFlow = new Set(wires.flatMap(({ kind, from, to }) => (kind === 'main' ? [from, to] : [])));
  const masters = new Map<number, { master: number; kind: string }>();
  for (const { from, to, kind } of wires) {
    if (kind === 'main' || inFlow.has(from) || places[from] || masters.has(from)) continue;
    if (isSticky(nodes[from] as Placeable) || isSticky(nodes[to] as Placeable)) continue;
    let top: number | undefined = to;
    while (top !== undefined && top !== from) top = masters.get(top)?.master;
    if (top === undefined) masters.set(from, { master: to, kind });
  }
  return withoutTowers(masters);
}

/** Limits the nesting of sub-nodes, so that hostile input cannot cause deep recursion. No real workflow is that deep. */
const DEEPEST = 20;

function withoutTowers<T extends { master: number }>(masters: ReadonlyMap<number, T>): Map<number, T> {
  const depths = new Map<number, number>();
  const kept = new Map<number, T>();
  for (const start of masters.keys()) {
    const path: number[] = [];
    for (let at: number | undefined = start; at !== undefined && !depths.has(at); at = masters.get(at)?.master)
      path.push(at);
    for (const index of path.toReversed()) {
      const above = masters.get(index);
      depths.set(index, above ? (depths.get(above.master) ?? 0) + 1 : 0);
    }
  }
  for (const [index, above] of masters) if ((depths.get(index) as number) % DEEPEST !== 0) kept.set(index, above);
  return kept;
}

/** Groups these nodes into connected parts, ordered by the first node of each. */
export function partsOf(free: readonly number[], wires: readonly Wire[]): number[][] {
  const part = new Map(free.map((index) => [index, index]));
  const rootOf = (index: number): number => {
    let root = index;
    while (part.get(root) !== root) root = part.get(root) as number;
    for (let at = index; at !== root; ) {
      const next = part.get(at) as number;
      part.set(at, root);
      at = next;
    }
    return root;
  };
  for (const { from, to } of wires) {
    if (!part.has(from) || !part.has(to)) continue;
    const [a, b] = [rootOf(from), rootOf(to)];
    if (a !== b) part.set(Math.max(a, b), Math.min(a, b));
  }
  return [...Map.groupBy(free, rootOf).values()];
}
