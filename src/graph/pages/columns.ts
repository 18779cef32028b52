interface Node {
  readonly id: string;
  readonly distance: number;
}

/** Two columns, with the middle between them: the nearest stand next to it. That is what fits a phone. */
export function columns(
  nodes: readonly Node[],
  _edges: unknown,
  { wide, tall }: { wide: number; tall: number },
): Map<string, { x: number; y: number }> {
  const around = nodes.filter(({ distance }) => distance > 0).sort((a, b) => a.distance - b.distance);
  const placed = new Map(nodes.flatMap(({ id, distance }) => (distance === 0 ? [[id, { x: 0, y: 0 }]] : [])));
  for (const [index, { id }] of around.entries()) {
    const row = Math.floor(index / 2);
    const away = Math.floor(row / 2) + 1;
    placed.set(id, { x: (index % 2 === 0 ? -0.5 : 0.5) * wide, y: (row % 2 === 0 ? away : -away) * tall });
  }
  return placed;
}
