import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { sameArguments } from '../../kernel/tool.ts';
import type { GraphEngine } from '../engine.ts';
import { asOf, asOfInput, graphTool, namesInput, typesInput } from '../tool.ts';
import { roomFor } from './fitting.ts';
import { limitInput, shownNear } from './get-neighbours.ts';
import { orCalled, orOne } from './other-names.ts';
import { relationOutput, shownEntity, shownRelation, truncatedOutput } from './shown.ts';

const NAME = 'graph_get_subgraph';
const OBSERVATIONS = 5;
const PAGE = 50;
/** Pages of entities come first, then pages of relations. */
const RELATIONS = 'relations:';

export const getSubgraph = graphTool({
  name: NAME,
  aliases: { graph_read_graph: sameArguments },
  title: 'Get a subgraph',
  description:
    'Entities of the knowledge graph with everything around them and all relations among these. Without names: the whole graph, page by page.',
  effect: 'read',
  phrases:
    'read the whole graph; show everything in the knowledge graph; read graph; part of the graph around some entities; list all entities; dump the graph; what is in my knowledge graph; subgraph of these people; give me all nodes and edges; the surroundings of several nodes with their relations; page through the graph',
  input: orCalled(
    { entityNames: 'names', name: 'names', max_depth: 'depth' },
    z.strictObject({
      names: orOne(namesInput(100)).optional().describe('Start here. Default: the whole graph'),
      depth: z.int().min(0).max(5).default(1).describe('How many relations away, 0 to 5'),
      types: typesInput,
      limit: limitInput,
      as_of: asOfInput,
      cursor: z.string().optional().describe('From the last reply, without names'),
    }),
  ),
  output: z.looseObject({
    entities: z
      .array(z.looseObject({ name: z.string(), type: z.string() }))
      .describe('With names: also distance. Without: also recorded_at, properties and observations'),
    relations: z.array(relationOutput),
    truncated: truncatedOutput,
    cursor: z.string().optional(),
  }),
  examples: [
    { title: 'Around two entities', arguments: { names: ['Ada Lovelace', 'Acme'], depth: 2 } },
    { title: 'Everything, page by page', arguments: {} },
  ],
  async run({ names, depth, types, limit, as_of, cursor }, deps) {
    const graph = await deps.graph();
    if (!names) return wholeGraph(graph, as_of, cursor);
    const walk = { depth, limit, asOf: asOf(as_of), ...(types && { types }) };
    const { entities, ...rest } = shownNear(await graph.subgraph(names, walk), limit);
    return { entities: entities.map((entity) => ({ ...entity })), ...rest };
  },
});

async function wholeGraph(graph: GraphEngine, as_of: string | undefined, cursor: string | undefined) {
  const filters = { as_of };
  const { next: after } = placeIn(NAME, filters, cursor);
  const at = asOf(as_of);
  const room = roomFor();
  const from = (next: string | undefined) => (next ? { after: next } : {});
  const goOn = (next: string) => ({
    cursor: cursorFor(NAME, filters, { skip: 0, next }),
    truncated: 'There is more: repeat the call with this cursor.',
  });

  let entities: ReturnType<typeof shownEntity>[] = [];
  if (!after?.startsWith(RELATIONS)) {
    const page = { asOf: at, observations: OBSERVATIONS, ...from(after) };
    const { items, next } = await graph.entities({ ...page, limit: PAGE });
    entities = room.fitting(items.map((entity) => shownEntity(entity)));
    const isCut = entities.length < items.length;
    const place = isCut ? (await graph.heads({ ...page, limit: entities.length })).next : next;
    if (place !== undefined) return { entities, relations: [], ...goOn(place) };
  }
  const page = { asOf: at, ...from(after?.startsWith(RELATIONS) ? after.slice(RELATIONS.length) : undefined) };
  const { items, next } = await graph.relations({ ...page, limit: PAGE });
  const relations = items.length > 0 ? room.fitting(items.map((relation) => shownRelation(relation))) : [];
  if (relations.length === 0 && items.length > 0) return { entities, relations, ...goOn(RELATIONS) };
  const isCut = relations.length < items.length;
  const place = isCut ? (await graph.relations({ ...page, limit: relations.length })).next : next;
  return { entities, relations, ...(place !== undefined && goOn(RELATIONS + place)) };
}
