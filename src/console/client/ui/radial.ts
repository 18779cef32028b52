import type { Placed } from './layered.ts';

interface Node {
  readonly id: string;
  /** How many steps from the middle; 0 is the middle itself. */
  readonly distance: number;
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The distance of two nodes, in boxes: then they do not overlap in any direction. */
const APART = Math.SQRT2;
const FIRST = 1.7;

/**
 * Places nodes on rings around the middle, the nearest inside. Nodes of the same distance take as many rings as they
 * need, and each stands near the one that it is connected to. `wide` and `tall` are a box with the space around it.
 */
export function radial(
  nodes: readonly Node[],
  edges: readonly Edge[],
  { wide, tall }: { wide: number; tall: number },
): Map<string, Placed> {
  const angles = new Map<string, number>();
  const placed = new Map<string, Placed>();
  const distances = new Map(nodes.map(({ id, distance }) => [id, distance]));
  const inner = innerOf(edges, distances);
  let radius = 0;
  const levels = [...new Set(distances.values())].sort((a, b) => a - b);
  for (const level of levels) {
    const here = nodes.filter(({ distance }) => distance === level).map(({ id }) => id);
    if (level === 0) {
      for (const [at, id] of here.entries()) placed.set(id, { x: 0, y: at * tall });
      continue;
    }
    const turn = (id: string) => angles.get(inner.get(id) ?? '') ?? 0;
    if (level > 1) here.sort((a, b) => turn(a) - turn(b));
    for (const ring of dealt(here, radius === 0 ? FIRST : radius + APART)) {
      radius = ring.radius;
      // Two on one line would hide what connects them behind the middle.
      const step = (2 * Math.PI) / Math.max(3, ring.ids.length);
      const start = level === 1 ? 0 : turn(ring.ids[0] as string);
      for (const [at, id] of ring.ids.entries()) {
        const angle = start + at * step;
        angles.set(id, angle);
        placed.set(id, { x: Math.cos(angle) * ring.radius * wide, y: Math.sin(angle) * ring.radius * tall });
      }
    }
  }
  return placed;
}

/** For each node, one that is nearer to the middle and connected with it. */
function innerOf(edges: readonly Edge[], distances: ReadonlyMap<string, number>): Map<string, string> {
  const inner = new Map<string, string>();
  for (const { from, to } of edges) {
    const [start, end] = [distances.get(from), distances.get(to)];
    if (start === undefined || end === undefined) continue;
    if (start < end && !inner.has(to)) inner.set(to, from);
    if (end < start && !inner.has(from)) inner.set(from, to);
  }
  return inner;
}

/** Deals nodes to rings in turn, so that neighbours of the order stay near each other. */
function dealt(ids: readonly string[], first: number): { radius: number; ids: string[] }[] {
  const rings: { radius: number; room: number; ids: string[] }[] = [];
  let room = 0;
  for (let radius = first; room < ids.length; radius += APART) {
    const fits = Math.max(1, Math.floor(Math.PI / Math.asin(APART / 2 / radius)));
    rings.push({ radius, room: fits, ids: [] });
    room += fits;
  }
  for (const id of ids) {
    const emptiest = rings.reduce((best, ring) =>
      ring.ids.length / ring.room < best.ids.length / best.room ? ring : best,
    );
    emptiest.ids.push(id);
  }
  return rings.filter((ring) => ring.ids.length > 0);
}
