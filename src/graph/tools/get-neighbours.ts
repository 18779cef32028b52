import { z } from 'zod';
import { sameArguments } from '../../kernel/tool.ts';
import type { Neighbourhood } from '../engine.ts';
import { asOf, asOfInput, graphTool, nameInput, typesInput } from '../tool.ts';
import { anyRoom, type Room, roomFor } from './fitting.ts';
import { orCalled } from './other-names.ts';
import { relationOutput, shownRelation, truncatedOutput } from './shown.ts';

const SHOWN = 50;
const MOST = 2000;
const FOR_ENTITIES = 3800;
const FOR_RELATIONS = 3800;

const depthInput = z.int().min(1).max(5).default(1).describe('How many relations away, 1 to 5');
export const limitInput = z.int().min(1).max(MOST).default(SHOWN).describe('At most this many entities');
export const directionInput = z
  .enum(['out', 'in', 'both'])
  .default('both')
  .describe('out: along relations, in: against them');

const nearOutput = {
  entities: z.array(z.object({ name: z.string(), type: z.string(), distance: z.number() })),
  relations: z.array(relationOutput),
  truncated: truncatedOutput,
};

/** What fits of a neighbourhood, nearest first. Callers who asked for more than usual get it. */
export function shownNear({ entities, relations, truncated }: Neighbourhood, limit: number) {
  const room = (bytes: number): Room => (limit > SHOWN ? anyRoom : roomFor(bytes));
  const shown = room(FOR_ENTITIES).fitting(entities);
  const lines = room(FOR_RELATIONS).fitting(relations.map((relation) => shownRelation(relation)));
  const [more, moreLines] = [entities.length - shown.length, relations.length - lines.length];
  return {
    entities: shown,
    relations: lines,
    ...((truncated || more > 0 || moreLines > 0) && {
      truncated: `${truncated ? 'There is more than the limit. ' : ''}${more} entities and ${moreLines} relations that were found are not shown. Use types, a smaller depth, or a higher limit (up to ${MOST}).`,
    }),
  };
}

export const getNeighbours = graphTool({
  name: 'graph_get_neighbours',
  aliases: { graph_get_neighbors: sameArguments },
  title: 'Get neighbours',
  description:
    'What an entity of the knowledge graph is connected to, up to a depth, nearest first, with the relations that lead there.',
  effect: 'read',
  phrases:
    'who does ada know; what is connected to this project; neighbours of a node; relations of an entity; what depends on this service; everything around a company in the graph; friends of friends; which people work at acme; list the connections of a person; two hops away from a node; who is related to whom; what belongs to this team; outgoing relations',
  input: orCalled(
    { entity: 'name', entityName: 'name', max_depth: 'depth' },
    z.strictObject({
      name: nameInput,
      depth: depthInput,
      direction: directionInput,
      types: typesInput,
      limit: limitInput,
      as_of: asOfInput,
    }),
  ),
  output: z.looseObject(nearOutput),
  examples: [{ title: 'Two steps along one type', arguments: { name: 'Acme', depth: 2, types: ['works_at'] } }],
  async run({ name, depth, direction, types, limit, as_of }, deps) {
    const graph = await deps.graph();
    const walk = { depth, direction, limit, asOf: asOf(as_of), ...(types && { types }) };
    return shownNear(await graph.neighbours(name, walk), limit);
  },
});
