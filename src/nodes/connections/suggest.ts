import type { Catalogue } from '../catalogue.ts';
import type { Port } from '../description.ts';
import { inputsOf, outputsOf } from '../configuration/ports.ts';
import type { Attachable } from './attachment-table.ts';
import { isAttachment } from './attachments.ts';
import { attachable, hostsFor } from './candidates.ts';
import { type Neighbour, noteOn, predecessors, successors } from './neighbours.ts';
import { purposes } from './preferred.ts';
import type { Asked, Candidate, PortSuggestion, Suggestion } from './suggestion.ts';
import { exampleOf } from './worked-example.ts';

export interface Breadth {
  /** Candidates per port. */
  readonly most: number;
  /** Only ports of this kind. */
  readonly kind?: string;
}

/** What can be connected to a node in its current configuration. */
export function suggestConnections(catalogue: Catalogue, asked: Asked, { most, kind }: Breadth): Suggestion {
  const { node, description, version, parameters } = asked;
  const inputs = inputsOf(description, parameters, version);
  const outputs = outputsOf(description, parameters, version);
  const meant = (port: Port) => kind === undefined || port.type === kind;
  const before = predecessors(catalogue, node);
  const into = numbered(inputs ?? [], description.inputNames).filter(({ port }) => meant(port));
  const outOf = numbered(outputs ?? [], description.outputNames).filter(({ port }) => meant(port));
  const suggestion = {
    needs: [
      ...new Set((inputs ?? []).filter(({ required, type }) => required && isAttachment(type)).map(({ type }) => type)),
    ],
    inputs: into.map(({ port, index, name }) =>
      suggested(
        port,
        index,
        name,
        isAttachment(port.type) ? attachable(catalogue, port).map(attached) : before.map(beside),
        most,
      ),
    ),
    outputs: outOf.map(({ port, index, name }) => {
      const ends = isAttachment(port.type)
        ? hostsFor(catalogue, node.name, port.type).map(attached)
        : successors(catalogue, node, parameters, name).map(beside);
      return suggested(port, index, name, ends, most);
    }),
  };
  const example = kind === undefined ? exampleOf(catalogue, asked, suggestion) : undefined;
  return { ...suggestion, ...(example && { example }), notes: notesOn(asked, inputs, outputs) };
}

interface NumberedPort {
  readonly port: Port;
  readonly index: number;
  readonly name?: string;
}

/** n8n numbers the ports of each kind separately. */
function numbered(ports: readonly Port[], names: readonly string[] = []): NumberedPort[] {
  const counts = new Map<string, number>();
  return ports.map((port, place) => {
    const index = counts.get(port.type) ?? 0;
    counts.set(port.type, index + 1);
    const name = port.displayName || names[place];
    return { port, index, ...(name && { name }) };
  });
}

function suggested(
  port: Port,
  index: number,
  name: string | undefined,
  ends: readonly Candidate[],
  most: number,
): PortSuggestion {
  const purpose = purposes.get(port.type);
  return {
    kind: port.type,
    index,
    ...(name !== undefined && { name }),
    ...(purpose !== undefined && { for: purpose }),
    ...(port.required && { required: true as const }),
    ...(port.maxConnections !== undefined && isAttachment(port.type) && { most: port.maxConnections }),
    candidates: ends.slice(0, most),
    ...(ends.length > most && { more: ends.length - most }),
  };
}

const beside = ({ node, why }: Neighbour): Candidate => ({ node: node.name, title: node.title, why });

const attached = ({ node, parameters }: Attachable): Candidate => ({
  node: node.name,
  title: node.title,
  ...(parameters && { parameters }),
});

function notesOn(
  { node, parameters }: Asked,
  inputs: readonly Port[] | undefined,
  outputs: readonly Port[] | undefined,
): string[] {
  const own = noteOn(node, parameters);
  const unclear = inputs === undefined ? 'inputs' : outputs === undefined ? 'outputs' : undefined;
  const gives = (outputs ?? []).find(({ type }) => isAttachment(type));
  const main = (outputs ?? []).filter(({ type }) => type === 'main').length;
  return [
    ...(own === undefined ? [] : [own]),
    ...(gives
      ? [`It is attached to another node: the connection starts here and ends at that node's ${gives.type}.`]
      : []),
    ...(main > 0 && !node.trigger
      ? [`With onError: continueErrorOutput it has one more main output for failures: index ${main}.`]
      : []),
    ...(unclear === undefined
      ? []
      : [`Its ${unclear} depend on parameters that you did not give. Set "parameters" to see them.`]),
  ];
}
