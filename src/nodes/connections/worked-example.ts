import type { Catalogue } from '../catalogue.ts';
import { connectionsOf, type Link } from '../links.ts';
import { isAttachment } from './attachments.ts';
import type { Asked, Example, Suggestion } from './suggestion.ts';

/** Ports per side. With more, an example becomes a list. */
const WAYS = 12;

/** Connects the first candidate to every port: before, after each output, and required attachments. */
export function exampleOf(
  catalogue: Catalogue,
  asked: Asked,
  { inputs, outputs }: Pick<Suggestion, 'inputs' | 'outputs'>,
): Example | undefined {
  const names = new Map<string, Example['nodes'][number]>();
  const place = (type: string, typeVersion: number, parameters?: Record<string, unknown>): string => {
    const title = catalogue.description(type, typeVersion)?.defaults?.name ?? type;
    let name = title;
    for (let count = 1; names.has(name); count++) name = `${title} ${count}`;
    names.set(name, { name, type, typeVersion, ...(parameters && { parameters }) });
    return name;
  };
  const given = Object.keys(asked.parameters).length > 0 ? asked.parameters : undefined;
  const own = place(asked.node.name, asked.version, given);
  const lines: Link[] = [];
  const end = (candidate: { node: string; parameters?: Record<string, unknown> } | undefined) =>
    candidate && place(candidate.node, catalogue.node(candidate.node)?.latest ?? 1, candidate.parameters);
  for (const { kind, index, required, candidates } of inputs.slice(0, WAYS)) {
    if (isAttachment(kind) && !required) continue;
    const from = end(candidates[0]);
    if (from !== undefined) lines.push({ from, output: 0, to: own, input: index, kind });
  }
  for (const { kind, index, name, candidates } of outputs.slice(0, WAYS)) {
    const to = end(candidates[0]);
    if (to === undefined) continue;
    lines.push({ from: own, output: index, to, input: 0, kind });
    if (name === 'loop') lines.push({ from: to, output: 0, to: own, input: 0, kind });
  }
  return lines.length === 0 ? undefined : { nodes: [...names.values()], connections: connectionsOf(lines) };
}
