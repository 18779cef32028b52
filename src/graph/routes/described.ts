import type { z } from 'zod';
import { answered, inQuery } from '../../kernel/described.ts';
import * as shapes from './answers.ts';

const operation = (operationId: string, summary: string, query: z.ZodObject, answer: z.ZodType) => ({
  operationId,
  summary,
  tags: ['graph'],
  parameters: inQuery(query),
  responses: answered(answer),
});

/** What OpenAPI says about the routes, by operation. */
export const described = {
  graphEntities: operation(
    'graphEntities',
    'Names and types of the entities of the knowledge graph',
    shapes.listQuery,
    shapes.listAnswer,
  ),
  graphSearch: operation(
    'graphSearch',
    'Finds entities of the knowledge graph by words',
    shapes.searchQuery,
    shapes.searchAnswer,
  ),
  graphEntity: operation(
    'graphEntity',
    'An entity in full, with its observations and relations',
    shapes.entityQuery,
    shapes.entityAnswer,
  ),
  graphNeighbours: operation(
    'graphNeighbours',
    'What is near an entity of the knowledge graph',
    shapes.nearQuery,
    shapes.nearAnswer,
  ),
  graphPath: operation(
    'graphPath',
    'A shortest path between two entities of the knowledge graph',
    shapes.pathQuery,
    shapes.pathAnswer,
  ),
  graphStats: operation(
    'graphStats',
    'How much is in the knowledge graph, by type',
    shapes.statsQuery,
    shapes.statsAnswer,
  ),
};

export type Named = keyof typeof described;
