import type { Link } from '../fragments/fragment.ts';

/** A line of a workflow: from a node's output to a node's input, by the names they have in it. */
export interface Line {
  readonly from: string;
  readonly output: number;
  readonly to: string;
  readonly input: number;
  readonly kind: string;
}

/** Lines as n8n writes them down. */
export function connectionsOf(lines: readonly Line[]): Record<string, Record<string, Link[][]>> {
  const all = new Map<string, Map<string, Link[][]>>();
  for (const { from, output, to, input, kind } of lines) {
    const kinds = all.get(from) ?? new Map<string, Link[][]>();
    all.set(from, kinds);
    const outputs = kinds.get(kind) ?? [];
    kinds.set(kind, outputs);
    while (outputs.length <= output) outputs.push([]);
    outputs[output]?.push({ node: to, type: kind, index: input });
  }
  // fromEntries makes own properties of any name, __proto__ too.
  return Object.fromEntries([...all].map(([from, kinds]) => [from, Object.fromEntries(kinds)]));
}
