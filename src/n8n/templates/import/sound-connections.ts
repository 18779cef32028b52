import { shown } from '../../../kernel/nearest-names.ts';
import type { Connections } from '../../client/shapes.ts';

type Kinds = Connections[string];

/**
 * Connections between nodes that exist. n8n's editor ignores the others, but its API refuses the whole workflow. Some
 * generated templates name nodes by their ids.
 */
export function soundConnections(
  connections: Connections,
  nodes: readonly { readonly id?: string | undefined; readonly name: string }[],
): { connections: Connections; dropped: string[] } {
  const names = new Set(nodes.map(({ name }) => name));
  const byId = new Map(nodes.map(({ id, name }) => [id, name]));
  const nameOf = (given: string) => (names.has(given) ? given : byId.get(given));
  const dropped = new Set<string>();
  const sound = new Map<string, Kinds>();
  for (const [given, kinds] of Object.entries(connections)) {
    const source = nameOf(given);
    if (source === undefined) {
      if (Object.keys(kinds).length > 0) dropped.add(`connections of "${shown(given, 60)}", which the template lacks`);
      continue;
    }
    const kept = Object.fromEntries(
      Object.entries(kinds).map(([kind, outputs]) => [
        kind,
        outputs.map(
          (targets) =>
            targets &&
            targets.flatMap((target) => {
              const node = nameOf(target.node);
              if (node !== undefined) return [{ ...target, node }];
              dropped.add(
                `connection of "${shown(source, 60)}" to "${shown(target.node, 60)}", which the template lacks`,
              );
              return [];
            }),
        ),
      ]),
    );
    sound.set(source, together(sound.get(source), kept));
  }
  return { connections: Object.fromEntries(sound), dropped: [...dropped] };
}

/** Connections of one node that were given under its name and under its id. */
function together(one: Kinds | undefined, other: Kinds): Kinds {
  if (!one) return other;
  const kinds = new Map(Object.entries(one));
  for (const [kind, outputs] of Object.entries(other)) {
    const before = kinds.get(kind) ?? [];
    const longest = Math.max(before.length, outputs.length);
    kinds.set(
      kind,
      Array.from({ length: longest }, (_, index) => [...(before[index] ?? []), ...(outputs[index] ?? [])]),
    );
  }
  return Object.fromEntries(kinds);
}
