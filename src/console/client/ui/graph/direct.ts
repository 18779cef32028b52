interface Place {
  readonly x: number;
  readonly y: number;
}

/** How far a line leaves the straight one: what leads there and what leads back are two lines. */
const BEND = 26;

/** The way from one box to another, from border to border, with a slight bend to the right of its direction. */
export function direct(from: Place, to: Place, { wide, tall }: { wide: number; tall: number }) {
  const start = { x: from.x + wide / 2, y: from.y + tall / 2 };
  const end = { x: to.x + wide / 2, y: to.y + tall / 2 };
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy) || 1;
  /** How much of the way is inside a box. */
  const inside = Math.min(
    dx === 0 ? 1 : wide / 2 / Math.abs(dx),
    dy === 0 ? 1 : tall / 2 / Math.abs(dy),
    // Boxes that overlap.
    0.5,
  );
  return {
    x1: start.x + dx * inside,
    y1: start.y + dy * inside,
    x2: end.x - dx * inside,
    y2: end.y - dy * inside,
    middle: {
      x: (start.x + end.x) / 2 - (dy / length) * BEND,
      y: (start.y + end.y) / 2 + (dx / length) * BEND,
    },
  };
}
