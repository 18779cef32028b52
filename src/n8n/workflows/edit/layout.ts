import type { Node } from '../../client/shapes.ts';

const STEP = 220;

/** Where a new node finds room: behind the one it follows, else to the right of all. */
export function freePosition(nodes: readonly Node[], after?: Node): [number, number] {
  const placed = nodes.flatMap(({ position }) => (position ? [position] : []));
  const taken = (x: number, y: number) =>
    placed.some(([left, top]) => Math.abs(left - x) < STEP / 2 && Math.abs(top - y) < STEP / 2);
  const rightmost = placed.reduce<[number, number] | undefined>(
    (best, point) => (best && best[0] >= point[0] ? best : point),
    undefined,
  );
  const base = after?.position ?? rightmost;
  if (!base) return [0, 0];
  let [x, y] = [base[0] + STEP, base[1]];
  while (taken(x, y)) y += STEP;
  return [x, y];
}
