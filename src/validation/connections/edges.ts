import { pointer } from '../json/json-pointer.ts';
import { isRecord, type Rec } from '../json/record.ts';
import type { Edge, NodeView } from '../subject/subject.ts';

/** The well-formed connections whose ends exist, in the order they are written. */
export function edgesOf(connections: unknown, byName: ReadonlyMap<string, NodeView>): Edge[] {
  const edges: Edge[] = [];
  if (!isRecord(connections)) return edges;
  for (const name of Object.keys(connections)) {
    const source = byName.get(name);
    const kinds = connections[name];
    if (!source || !isRecord(kinds)) continue;
    for (const kind of Object.keys(kinds)) {
      const outputs = kinds[kind];
      if (!Array.isArray(outputs)) continue;
      const base = pointer('/connections', name, kind);
      outputs.forEach((targets: unknown, output) => {
        if (!Array.isArray(targets)) return;
        targets.forEach((given: unknown, place) => {
          const target = isRecord(given) ? targetOf(given, byName) : undefined;
          if (target) edges.push({ source, kind, output, ...target, pointer: `${base}/${output}/${place}` });
        });
      });
    }
  }
  return edges;
}

function targetOf(given: Rec, byName: ReadonlyMap<string, NodeView>) {
  const { node, type, index } = given;
  if (typeof node !== 'string' || typeof type !== 'string') return undefined;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) return undefined;
  const target = byName.get(node);
  return target && { target, targetKind: type, input: index };
}
