import { messageOf } from '../../kernel/errors.ts';
import type { Pace } from '../../kernel/pace.ts';
import { quoted } from '../../kernel/some-of.ts';
import type { GraphLine, NewImport, Problem } from './item.ts';
import { checked } from './memory-in.ts';

/** As in the graph: a name, a type, and something between them. */
const LONGEST_HEAD = 1000;

/** Entities and relations in words, for where there is no graph. */
export async function graphAsMemories(
  lines: readonly GraphLine[],
  pace: Pace,
): Promise<{ memories: NewImport[]; problems: Problem[] }> {
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
    const head = line.type === 'entity' ? line.name.length + line.entityType.length : 0;
    if (head > LONGEST_HEAD) {
      problems.push({
        reason: `The name and type of an entity have ${head} characters; the limit is ${LONGEST_HEAD}, since each of its memories begins with them.`,
      });
      continue;
    }
    for (const text of textsOf(line)) {
      await pace();
      try {
        memories.push(checked({ text, metadata }));
      } catch (error) {
        problems.push({ reason: `${quoted(text)}: ${messageOf(error)}` });
      }
    }
  }
  return { memories, problems };
}

/** How many memories become of a line. */
export const countIn = (line: GraphLine): number =>
  line.type === 'entity' ? Math.max(line.observations.length, 1) : 1;

function textsOf(line: GraphLine): string[] {
  if (line.type === 'relation') return [`${line.from} ${line.relationType} ${line.to}`];
  const head = `${line.name} (${line.entityType})`;
  return line.observations.length === 0 ? [head] : line.observations.map((one) => `${head}: ${one}`);
}
