import type { Head, Line, Near } from './shapes.ts';

/** What is drawn around an entity: nodes with their distance, and one line for all relations from one to another. */
export function drawn(middle: Head, { entities, relations }: Near, mostLabels: number) {
  const nodes = [{ ...middle, distance: 0 }, ...entities.map(({ name, type, distance }) => ({ name, type, distance }))];
  const lines = new Map<string, Line & { readonly types: string[] }>();
  for (const { from, type, to } of relations) {
    const key = JSON.stringify([from, to]);
    const line = lines.get(key);
    if (line) line.types.push(type);
    else lines.set(key, { from, type, to, types: [type] });
  }
  const edges = [...lines.values()].map(({ from, to, types }) => ({
    from,
    to,
    label: lines.size > mostLabels ? undefined : types.join(', '),
  }));
  return { nodes, edges };
}
