import { linksOf, type WrittenConnections } from '../links.ts';

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

/** A connection between two nodes, which are known by their place in the list. */
export interface Wire {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly output: number;
}

/** The connections of which both ends exist, in the order they are written. */
export function wiresOf(nodes: readonly Placeable[], connections: WrittenConnections): Wire[] {
  const byName = new Map<string, number>();
  for (const [index, { name }] of nodes.entries()) if (!byName.has(name)) byName.set(name, index);
  return linksOf(connections).flatMap(({ kind, output, ...link }) => {
    const [from, to] = [byName.get(link.from), byName.get(link.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to, kind, output }];
  });
}
