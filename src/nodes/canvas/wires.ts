/** A node as far as its place on the canvas is concerned. */
export interface Placeable {
  readonly name: string;
  readonly type: string;
  /** Its upper left corner; missing where it is to be found. */
  readonly position?: readonly [number, number] | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** `continueErrorOutput` gives it one more output, the last. */
  readonly onError?: unknown;
}

/** By name of the source, by kind, by output: as n8n writes them. */
export type Wires = Readonly<
  Record<string, Readonly<Record<string, readonly (readonly { readonly node: string }[] | null | undefined)[]>>>
>;

/** A connection between two nodes, which are known by their place in the list. */
export interface Wire {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly output: number;
}

/** The connections of which both ends exist: outputs from top to bottom, targets in the order they are listed. */
export function wiresOf(nodes: readonly Placeable[], connections: Wires): Wire[] {
  const byName = new Map<string, number>();
  for (const [index, { name }] of nodes.entries()) if (!byName.has(name)) byName.set(name, index);
  const wires: Wire[] = [];
  for (const [source, kinds] of Object.entries(connections)) {
    const from = byName.get(source);
    if (from === undefined) continue;
    for (const [kind, outputs] of Object.entries(kinds)) {
      for (const [output, targets] of outputs.entries()) {
        for (const { node } of targets ?? []) {
          const to = byName.get(node);
          if (to !== undefined && to !== from) wires.push({ from, to, kind, output });
        }
      }
    }
  }
  return wires;
}
