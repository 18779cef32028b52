interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Direction {
  readonly x: -1 | 0 | 1;
  readonly y: -1 | 0 | 1;
}

/** How much more it counts to be beside the direction than along it. */
const ASIDE = 2;

/** The next node in a direction, such as right, seen from another node; undefined if there is none. */
export function nextIn(places: ReadonlyMap<string, Place>, from: string, direction: Direction): string | undefined {
  const start = places.get(from);
  if (!start) return undefined;
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [id, { x, y }] of places) {
    const [dx, dy] = [x - start.x, y - start.y];
    const along = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    if (along > 0 && along + ASIDE * aside < least) [best, least] = [id, along + ASIDE * aside];
  }
  return best;
}
