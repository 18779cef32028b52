import { messageOf } from '../../kernel/errors.ts';
import { quoted } from '../../kernel/some-of.ts';
import type { GraphLine, NewImport, Problem } from './item.ts';
import { checked } from './memory-in.ts';

/** Entities and relations in words, for where there is no graph. */
export function graphAsMemories(lines: readonly GraphLine[]): { memories: NewImport[]; problems: Problem[] } {
  const memories: NewImport[] = [];
  const problems: Problem[] = [];
  for (const line of lines) {
    const { properties, valid_from, valid_to } = line;
    const about =
      line.type === 'entity'
        ? { entity: line.name, entity_type: line.entityType }
        : { from: line.from, relation: line.relationType, to: line.to };
    const metadata = {
      ...about,
      ...(properties && { properties }),
      ...(valid_from !== undefined && { valid_from }),
      ...(valid_to !== undefined && { valid_to }),
    };
    for (const text of textsOf(line)) {
      try {
        memories.push(checked({ text, metadata }));
      } catch (error) {
        problems.push({ reason: `${quoted(text)}: ${messageOf(error)}` });
      }
    }
  }
  return { memories, problems };
}

function textsOf(line: GraphLine): string[] {
  if (line.type === 'relation') return [`${line.from} ${line.relationType} ${line.to}`];
  const head = `${line.name} (${line.entityType})`;
  return line.observations.length === 0 ? [head] : line.observations.map((one) => `${head}: ${one}`);
}
