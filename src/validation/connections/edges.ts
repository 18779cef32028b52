import { pointer } from '../json/json-pointer.ts';
import { isRecord } from '../json/record.ts';
import type { Edge, NodeView } from '../subject/subject.ts';

/** One entry in a list of targets in `connections`, unchecked. */
export interface RawEntry {
  readonly source: string;
  readonly kind: string;
  readonly output: number;
  readonly value: unknown;
  /** `/connections/Name/main/0/1` */
  readonly pointer: string;
}

/** Every entry in the right place. `connection-shape` reports the others. */
export function entriesOf(connections: unknown): RawEntry[] {
  const entries: RawEntry[] = [];
  if (!isRecord(connections)) return entries;
  for (const source of Object.keys(connections)) {
    const kinds = connections[source];
    if (!isRecord(kinds)) continue;
    for (const kind of Object.keys(kinds)) {
      const outputs = kinds[kind];
      if (!Array.isArray(outputs)) continue;
      const base = pointer('/connections', source, kind);
      for (const [output, ends] of (outputs as unknown[]).entries()) {
        if (!Array.isArray(ends)) continue;
        for (const [place, value] of (ends as unknown[]).entries()) {
          entries.push({ source, kind, output, value, pointer: `${base}/${output}/${place}` });
        }
      }
    }
  }
  return entries;
}

/** The well-formed connections between existing nodes, in the order of the workflow. */
export function edgesOf(connections: unknown, byName: ReadonlyMap<string, NodeView>): Edge[] {
  return entriesOf(connections).flatMap(({ source: name, kind, output, value, pointer: at }) => {
    const source = byName.get(name);
    const target = targetOf(value, byName);
    return source && target ? [{ source, kind, output, ...target, pointer: at }] : [];
  });
}

function targetOf(given: unknown, byName: ReadonlyMap<string, NodeView>) {
  if (!isRecord(given)) return undefined;
  const { node, type, index } = given;
  if (typeof node !== 'string' || typeof type !== 'string') return undefined;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) return undefined;
  const target = byName.get(node);
  return target && { target, targetKind: type, input: index };
}
