interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where an arrow key leads. */
const ways: ReadonlyMap<string, Place> = new Map([
  ['ArrowLeft', { x: -1, y: 0 }],
  ['ArrowRight', { x: 1, y: 0 }],
  ['ArrowUp', { x: 0, y: -1 }],
  ['ArrowDown', { x: 0, y: 1 }],
]);

/** What is sideways of the direction counts more, so that a row stays a row. */
const SIDEWAYS = 2;

/** The place to which an arrow key leads from another place; undefined if there is none, or if it is another key. */
export function nearest(places: ReadonlyMap<string, Place>, from: string, key: string): string | undefined {
  const way = ways.get(key);
  const start = places.get(from);
  if (!way || !start) return undefined;
  let found: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [id, { x, y }] of places) {
    const [right, down] = [x - start.x, y - start.y];
    const ahead = right * way.x + down * way.y;
    const aside = Math.abs(right * way.y) + Math.abs(down * way.x);
    if (ahead <= 0 || aside > 1.5 * ahead) continue;
    const far = ahead + SIDEWAYS * aside;
    if (far < least) [found, least] = [id, far];
  }
  return found;
}
