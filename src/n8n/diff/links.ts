import type { Connections } from '../client/shapes.ts';

/** One wire between two nodes. */
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

/** All wires of a workflow, one by one. */
export function linksOf(connections: Connections): Link[] {
  return Object.entries(connections).flatMap(([from, kinds]) =>
    Object.entries(kinds).flatMap(([kind, outputs]) =>
      outputs.flatMap((targets, output) =>
        (targets ?? []).map(({ node, type, index }) => ({
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

/** `A -> B`, with the kind and the indexes where they are not the usual ones. */
export function linkText({ from, to, kind, output, input, inputKind }: Link): string {
  const ends = [output > 0 ? `output ${output}` : '', input > 0 ? `input ${input}` : ''].filter((end) => end !== '');
  const kinds = inputKind === undefined ? kind : `${kind} to ${inputKind}`;
  const notes = [...(kinds === 'main' ? [] : [kinds]), ...ends];
  return `${from} -> ${to}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
