import { AppError, messageOf } from '../../kernel/errors.ts';
import type { Pace } from '../../kernel/pace.ts';
import type { Json } from '../../kernel/source.ts';
import type { GraphLine, NewImport, Parsed, Problem } from './item.ts';
import { graphLineIn, memoryIn } from './memory-in.ts';

/** Where lists are: mem0 answers with `results`, Qdrant with `result.points`. */
const LISTS = ['results', 'memories', 'points', 'result', 'items', 'notes', 'documents', 'data'];

/** A list of texts or objects, or an object around it. `line` of a problem is the number of the item, from 1. */
export async function readJson(text: string, pace: Pace): Promise<Parsed> {
  const value = parsed(text);
  const memories: NewImport[] = [];
  const graph: GraphLine[] = [];
  const problems: Problem[] = [];
  for (const [at, item] of itemsIn(value).entries()) {
    await pace();
    try {
      const known = graphLineIn(item);
      if (known) graph.push(known);
      else memories.push(memoryIn(item));
    } catch (error) {
      problems.push({ line: at + 1, reason: messageOf(error) });
    }
  }
  return { memories, graph, problems };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError('invalid_input', `This is not JSON: ${messageOf(error)}. Nothing was imported.`, {
      cause: error,
    });
  }
}

function itemsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null)
    throw new AppError('invalid_input', 'This JSON is neither a list nor an object. Nothing was imported.');
  const { entities, relations } = value as Json;
  if (Array.isArray(entities) && (relations === undefined || Array.isArray(relations)))
    return [...entities.map(typed('entity')), ...(relations ?? []).map(typed('relation'))];
  const fields = new Map(Object.entries(value));
  for (const key of LISTS) {
    const found = fields.get(key);
    if (Array.isArray(found)) return found;
    if (key === 'result' && typeof found === 'object' && found !== null) return itemsIn(found);
  }
  return [value];
}

/** server-memory's read_graph answers without types. */
const typed =
  (type: string) =>
  (item: unknown): unknown =>
    typeof item === 'object' && item !== null ? { ...item, type } : item;
