import { GRID, type Size } from './node-size.ts';

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** Nodes that move together. */
export type Group = readonly { readonly index: number; readonly x: number; readonly y: number }[];

/** After this many tries, move past everything at once: a crowded canvas must not take long. */
const MOST_TRIES = 20;

/** How far to move a group in one direction until it keeps `margin` from everything already placed. */
export function shifted(
  group: Group,
  taken: readonly Box[],
  boxAt: (one: Group[number], by: number) => Box,
  margin: number,
  needed: (mine: Box, other: Box) => number,
): number {
  let by = 0;
  for (let tries = 0; ; tries++) {
    let more = 0;
    for (const one of group) {
      const mine = boxAt(one, by);
      for (const other of taken) {
        if (tries === MOST_TRIES || overlap(mine, other, margin)) more = Math.max(more, needed(mine, other));
      }
    }
    if (more <= 0 || tries > MOST_TRIES) return by;
    by += Math.ceil(more / GRID) * GRID;
  }
}

function overlap(a: Box, b: Box, margin: number): boolean {
  return (
    a.x < b.x + b.width + margin &&
    b.x < a.x + a.width + margin &&
    a.y < b.y + b.height + margin &&
    b.y < a.y + a.height + margin
  );
}
