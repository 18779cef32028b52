/** One wire between two nodes, identified by their names. */
export interface Link {
  readonly from: string;
  readonly to: string;
  /** `main`, or what an AI sub-node provides: `ai_tool`, `ai_languageModel`, … */
  readonly kind: string;
  readonly output: number;
  readonly input: number;
  /** The kind at the target, if it differs. */
  readonly inputKind?: string;
}

/** Where a wire ends, as n8n writes it. */
export type End = { node: string; type: string; index: number };

/** n8n's format: by source name, by kind, one list of ends per output. */
export type Connections = Record<string, Record<string, End[][]>>;

/** The same as found in real workflows: an unconnected output may be null, and an end may omit `type` and `index`. */
export type WrittenConnections = Readonly<
  Record<string, Readonly<Record<string, readonly (readonly WrittenEnd[] | null | undefined)[]>>>
>;
type WrittenEnd = Readonly<Pick<End, 'node'> & Partial<End>>;

/** All wires of a workflow: outputs from top to bottom, ends in listed order. */
export function linksOf(connections: WrittenConnections): Link[] {
  return Object.entries(connections).flatMap(([from, kinds]) =>
    Object.entries(kinds).flatMap(([kind, outputs]) =>
      outputs.flatMap((ends, output) =>
        (ends ?? []).map(({ node, type = kind, index = 0 }) => ({
          from,
          to: node,
          kind,
          output,
          input: index,
          ...(type !== kind && { inputKind: type }),
        })),
      ),
    ),
  );
}

/** Converts wires to n8n's format. */
export function connectionsOf(links: readonly Link[]): Connections {
  const sources = Map.groupBy(links, ({ from }) => from);
  // fromEntries creates own properties even for names like __proto__.
  return Object.fromEntries(
    [...sources].map(([from, own]) => [
      from,
      Object.fromEntries([...Map.groupBy(own, ({ kind }) => kind)].map(([kind, same]) => [kind, byOutput(same)])),
    ]),
  );
}

function byOutput(links: readonly Link[]): End[][] {
  const last = Math.max(...links.map(({ output }) => output));
  const outputs: End[][] = Array.from({ length: last + 1 }, () => []);
  for (const { to, kind, output, input, inputKind } of links)
    outputs[output]?.push({ node: to, type: inputKind ?? kind, index: input });
  return outputs;
}

/** `A -> B`, plus kind and indexes if they are not `main` and 0. */
export function linkText({ from, to, kind, output, input, inputKind }: Link): string {
  const ends = [output > 0 ? `output ${output}` : '', input > 0 ? `input ${input}` : ''].filter((end) => end !== '');
  const kinds = inputKind === undefined ? kind : `${kind} to ${inputKind}`;
  const notes = [...(kinds === 'main' ? [] : [kinds]), ...ends];
  return `${from} -> ${to}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
