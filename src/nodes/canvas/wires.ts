import { linksOf, type WrittenConnections } from '../links.ts';

/** What the layout needs to know of a node. */
export interface Placeable {
  readonly name: string;
  readonly type: string;
  /** Upper left corner; missing if the layout should choose it. */
  readonly position?: readonly [number, number] | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** `continueErrorOutput` adds an error output after the others. */
  readonly onError?: unknown;
}

/** A connection between two nodes, given as indexes into the list. */
export interface Wire {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly output: number;
}

/** The connections whose ends both exist, in written order. */
export function wiresOf(nodes: readonly Placeable[], connections: WrittenConnections): Wire[] {
  const byName = new Map<string, number>();
  for (const [index, { name }] of nodes.entries()) if (!byName.has(name)) byName.set(name, index);
  return linksOf(connections).flatMap(({ kind, output, ...link }) => {
    const [from, to] = [byName.get(link.from), byName.get(link.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to, kind, output }];
  });
}
