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

/** The first ring, and the distance of one ring to the next, in boxes. */
const FIRST = 1.5;
const APART = 1;
const DEGREES = 360;

/**
 * Places nodes on rings around the middle, the nearest inside. Nodes of the same distance take as many rings as they
 * need, and each stands near the one that it is connected to. `wide` and `tall` are a box with the space around it.
 */
export function radial(
  nodes: readonly Node[],
  edges: readonly Edge[],
  { wide, tall }: { wide: number; tall: number },
): Map<string, Placed> {
  const distances = new Map(nodes.map(({ id, distance }) => [id, distance]));
  const inner = innerOf(edges, distances);
  const angles = new Map<string, number>();
  const taken: Placed[] = [{ x: 0, y: 0 }];
  const placed = new Map<string, Placed>();
  let radius = FIRST;
  for (const level of [...new Set(distances.values())].sort((a, b) => a - b)) {
    const here = nodes.filter(({ distance }) => distance === level).map(({ id }) => id);
    if (level === 0) {
      for (const [at, id] of here.entries()) placed.set(id, { x: 0, y: at * tall });
      continue;
    }
    const turn = (id: string) => angles.get(inner.get(id) ?? '') ?? 0;
    if (level > 1) here.sort((a, b) => turn(a) - turn(b));
    const rings: number[][] = [];
    for (let left = here.length; left > 0; radius += APART) {
      const ring = ringOf(left, { radius, start: level === 1 ? 0 : turn(here[0] as string) }, taken);
      taken.push(...ring.map((angle) => on(radius, angle)));
      rings.push(ring);
      left -= ring.length;
    }
    // Neighbours of the order stand near each other, on whichever ring.
    const places = rings
      .flatMap((ring, at) => ring.map((angle) => ({ angle, radius: radius - (rings.length - at) * APART })))
      .sort((a, b) => a.angle - b.angle);
    for (const [at, id] of here.entries()) {
      const place = places[at] as (typeof places)[0];
      angles.set(id, place.angle);
      const { x, y } = on(place.radius, place.angle);
      placed.set(id, { x: x * wide, y: y * tall });
    }
  }
  return placed;
}

/** Angles of as many of them as fit on a ring without touching each other or what is there already. */
function ringOf(count: number, { radius, start }: { radius: number; start: number }, taken: readonly Placed[]) {
  // Two on one line would hide what connects them behind the middle.
  const parts = Math.max(3, count);
  const even = Array.from({ length: count }, (_, at) => start + (at * 2 * Math.PI) / parts);
  if (count < DEGREES && fitting(even, radius, taken).length === count) return even;
  const all = Array.from({ length: DEGREES }, (_, at) => start + (at * 2 * Math.PI) / DEGREES);
  return fitting(all, radius, taken).slice(0, count);
}

function fitting(angles: readonly number[], radius: number, taken: readonly Placed[]): number[] {
  const all = [...taken];
  return angles.filter((angle) => {
    const place = on(radius, angle);
    const isFree = all.every(({ x, y }) => Math.max(Math.abs(place.x - x), Math.abs(place.y - y)) > 0.9999);
    if (isFree) all.push(place);
    return isFree;
  });
}

const on = (radius: number, angle: number): Placed => ({ x: Math.cos(angle) * radius, y: Math.sin(angle) * radius });

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
