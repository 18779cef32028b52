import { AppError, messageOf } from '../../kernel/errors.ts';
import type { Pace } from '../../kernel/pace.ts';
import type { GraphLine, NewImport, Parsed, Problem } from './item.ts';
import { graphLineIn, memoryIn } from './memory-in.ts';

/** A memory, entity or relation a line. Each line that is not blank is in the result, or in the problems. */
export async function readJsonl(text: string, pace: Pace): Promise<Parsed> {
  const memories: NewImport[] = [];
  const graph: GraphLine[] = [];
  const problems: Problem[] = [];
  let isJson = false;
  for (const [at, line] of text.split('\n').entries()) {
    await pace();
    if (line.trim() === '') continue;
    try {
      const value = parsed(line);
      isJson = true;
      const known = graphLineIn(value);
      if (known) graph.push(known);
      else memories.push(memoryIn(value));
    } catch (error) {
      problems.push({ line: at + 1, reason: messageOf(error) });
    }
  }
  if (problems.length > 0 && !isJson)
    throw new AppError('invalid_input', 'This is not JSON Lines: no line is JSON. Nothing was imported.');
  return { memories, graph, problems };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    throw new AppError('invalid_input', `It is not JSON: ${messageOf(error)}`, { cause: error });
  }
}
