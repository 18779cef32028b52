interface Node {
  readonly id: string;
  readonly distance: number;
}

/** A few stand further apart, so that what connects them can be read. */
const FEW = 6;
const FURTHER = 1.6;

/** Two columns, with the middle between them: the nearest stand next to it. That is what fits a phone. */
export function columns(
  nodes: readonly Node[],
  _edges: unknown,
  { wide, tall }: { wide: number; tall: number },
): Map<string, { x: number; y: number }> {
  const around = nodes.filter(({ distance }) => distance > 0).sort((a, b) => a.distance - b.distance);
  const row = around.length > FEW ? tall : FURTHER * tall;
  const placed = new Map(nodes.flatMap(({ id, distance }) => (distance === 0 ? [[id, { x: 0, y: 0 }]] : [])));
  for (const [index, { id }] of around.entries()) {
    const pair = Math.floor(index / 2);
    const away = Math.floor(pair / 2) + 1;
    placed.set(id, { x: (index % 2 === 0 ? -0.5 : 0.5) * wide, y: (pair % 2 === 0 ? away : -away) * row });
  }
  return placed;
}
