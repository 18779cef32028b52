import { z } from 'zod';
import { asOf, asOfInput, graphTool } from '../tool.ts';
import { roomFor } from './fitting.ts';
import { truncatedOutput } from './shown.ts';

const byType = z.array(z.object({ type: z.string(), count: z.number() }));

export const getStats = graphTool({
  name: 'graph_get_stats',
  title: 'Graph statistics',
  description: 'How many entities, observations and relations the knowledge graph has, by type.',
  effect: 'read',
  phrases:
    'how big is the knowledge graph; count entities; which types of entities are there; which relation types exist; statistics of the graph; how many nodes and edges; what kinds of things are in the graph',
  input: z.strictObject({ as_of: asOfInput }),
  output: z.looseObject({
    entities: z.number(),
    observations: z.number(),
    relations: z.number(),
    entity_types: byType.describe('Most frequent first'),
    relation_types: byType.describe('Most frequent first'),
    truncated: truncatedOutput,
  }),
  async run({ as_of }, deps) {
    const graph = await deps.graph();
    const { entityTypes, relationTypes, ...counts } = await graph.stats(asOf(as_of));
    const [entities, relations] = [roomFor(3600).fitting(entityTypes), roomFor(3600).fitting(relationTypes)];
    const left = entityTypes.length - entities.length + relationTypes.length - relations.length;
    return {
      ...counts,
      entity_types: entities,
      relation_types: relations,
      ...(left > 0 && { truncated: `${left} rarer types are not shown.` }),
    };
  },
});
