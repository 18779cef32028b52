/** One wire between two nodes, which are known by their names. */
export interface Link {
  readonly from: string;
  readonly to: string;
  /** `main`, or what an AI sub-node gives: `ai_tool`, `ai_languageModel`, … */
  readonly kind: string;
  readonly output: number;
  readonly input: number;
  /** The kind at the other end, where it is another one. */
  readonly inputKind?: string;
}

/** Where a wire ends, as n8n writes it. */
export type End = { node: string; type: string; index: number };

/** As n8n writes wires: by name of the source, by kind, one list of ends for each output. */
export type Connections = Record<string, Record<string, End[][]>>;

/** The same as it is found: outputs that lead nowhere may be null, and ends of the usual kind may not say it. */
export type WrittenConnections = Readonly<
  Record<string, Readonly<Record<string, readonly (readonly WrittenEnd[] | null | undefined)[]>>>
>;
type WrittenEnd = Readonly<Pick<End, 'node'> & Partial<End>>;

/** All wires of a workflow, one by one: outputs from top to bottom, ends in the order they are listed. */
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

/** Wires as n8n writes them. */
export function connectionsOf(links: readonly Link[]): Connections {
  const sources = Map.groupBy(links, ({ from }) => from);
  // fromEntries makes own properties of any name, __proto__ too.
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

/** `A -> B`, with the kind and the indexes where they are not the usual ones. */
export function linkText({ from, to, kind, output, input, inputKind }: Link): string {
  const ends = [output > 0 ? `output ${output}` : '', input > 0 ? `input ${input}` : ''].filter((end) => end !== '');
  const kinds = inputKind === undefined ? kind : `${kind} to ${inputKind}`;
  const notes = [...(kinds === 'main' ? [] : [kinds]), ...ends];
  return `${from} -> ${to}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
