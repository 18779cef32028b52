import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { sameArguments } from '../../kernel/tool.ts';
import { asOf, asOfInput, graphTool } from '../tool.ts';
import { anyRoom, roomFor } from './fitting.ts';
import { entityOutput, relationOutput, shownEntity, shownRelation, truncatedOutput } from './shown.ts';

const NAME = 'graph_search';
const SHOWN = 10;
const MOST = 100;
const OBSERVATIONS = 5;
const RELATIONS = 30;

export const search = graphTool({
  name: NAME,
  aliases: { graph_search_nodes: sameArguments },
  title: 'Search the graph',
  description:
    'Finds entities of the knowledge graph by words in their names, types, properties and observations. Best match first, with the observations that match and the relations.',
  effect: 'read',
  phrases:
    'what do i know about a person; find an entity; look something up in the knowledge graph; search the graph; who is ada; which entities mention tea; find people in my graph; is there something in the graph about this company; search nodes of the knowledge graph; what is stored about a project; find facts by words; look for a customer in the graph; recall facts about a topic from the graph; which nodes have this observation',
  input: z.strictObject({
    query: z.string().max(1000).describe('Words, e.g. "rocket engineer"'),
    limit: z.int().min(1).max(MOST).default(SHOWN).describe('At most this many'),
    as_of: asOfInput,
    cursor: z.string().optional().describe('From the last reply'),
  }),
  output: z.looseObject({
    entities: z.array(entityOutput).describe('Also score, and found_in: name, about (type or property), observation'),
    relations: z.array(relationOutput).describe('At these entities'),
    hint: z.string().optional(),
    truncated: truncatedOutput,
    cursor: z.string().optional(),
  }),
  examples: [{ title: 'By words', arguments: { query: 'who builds engines' } }],
  async run({ query, limit, as_of, cursor }, deps) {
    const filters = { query, as_of };
    const { skip } = placeIn(NAME, filters, cursor);
    const at = asOf(as_of);
    const [graph, { asked }] = await Promise.all([deps.graph(), import('../graph.ts')]);
    const hits = await graph.search({ ...asked(query), limit: limit + 1, skip, asOf: at });
    const page = hits.slice(0, limit);
    const names = page.map(({ name }) => name);
    const { entities, relations, more } = await graph.open(names, {
      asOf: at,
      observations: OBSERVATIONS,
      relations: RELATIONS,
    });
    const byName = new Map(entities.map((entity) => [entity.name, entity]));
    const found = page.flatMap(({ name, score, where, observations }) => {
      const entity = byName.get(name);
      if (!entity) return [];
      const texts = [...observations, ...entity.observations].map(({ text }) => text);
      const { name: _, type, ...rest } = shownEntity(entity, [...new Set(texts)].slice(0, OBSERVATIONS));
      return [{ name, type, score: Math.round(score * 100) / 100, found_in: where, ...rest }];
    });
    // A caller who sets a high limit gets that many. By default the reply stays short.
    const room = limit > SHOWN ? anyRoom : roomFor();
    const shown = room.fitting(found);
    const next = skip + shown.length;
    const hasMore = hits.length > shown.length;
    const edges = relations.map((relation) => shownRelation(relation));
    const lines = room.fitting(edges);
    return {
      entities: shown,
      relations: lines,
      ...(found.length === 0 && {
        hint: 'Nothing found. Try other words, or graph_get_subgraph without names for everything.',
      }),
      ...((more || lines.length < edges.length) && {
        truncated: 'Not all relations are shown. graph_get_neighbours shows those of one entity.',
      }),
      ...(hasMore && { cursor: cursorFor(NAME, filters, { skip: next }) }),
    };
  },
});
