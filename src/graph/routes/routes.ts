import type { z } from 'zod';
import { answered, inQuery } from '../../kernel/described.ts';
import type { Route } from '../../kernel/route.ts';
import type { ToolSource } from '../../kernel/source.ts';
import { requireTool } from '../../kernel/tool-right.ts';
import type { GraphEngine } from '../engine.ts';
import * as shapes from './answers.ts';
import type * as Reading from './reading.ts';

interface Described {
  /** Whoever may call this tool may read the same here. */
  readonly tool: string;
  readonly operationId: string;
  readonly summary: string;
  readonly query: z.ZodObject;
  readonly answer: z.ZodType;
}

/** The graph for programs and the console: whole texts and long pages, where the tools keep their replies short. */
export function graphRoutes({ open, source }: { open(): Promise<GraphEngine>; source: ToolSource }): Route[] {
  const reading = (
    path: string,
    { tool, operationId, summary, query, answer }: Described,
    read: (from: typeof Reading, graph: GraphEngine, request: Request) => Promise<unknown>,
  ): Route => ({
    path,
    scope: 'graph:read',
    get openapi() {
      return { operationId, summary, tags: ['graph'], parameters: inQuery(query), responses: answered(answer) };
    },
    async handle({ request, principal }) {
      requireTool(source, tool, principal);
      const [from, graph] = await Promise.all([import('./reading.ts'), open()]);
      return Response.json(await read(from, graph, request), { headers: { 'cache-control': 'no-store' } });
    },
  });

  return [
    reading(
      '/api/v1/graph-entities',
      {
        tool: 'graph_get_subgraph',
        operationId: 'graphEntities',
        summary: 'Names and types of the entities of the knowledge graph',
        query: shapes.listQuery,
        answer: shapes.listAnswer,
      },
      (from, graph, request) => from.list(graph, request),
    ),
    reading(
      '/api/v1/graph-search',
      {
        tool: 'graph_search',
        operationId: 'graphSearch',
        summary: 'Finds entities of the knowledge graph by words',
        query: shapes.searchQuery,
        answer: shapes.searchAnswer,
      },
      (from, graph, request) => from.search(graph, request),
    ),
    reading(
      '/api/v1/graph-entity',
      {
        tool: 'graph_get_entities',
        operationId: 'graphEntity',
        summary: 'An entity in full, with its observations and relations',
        query: shapes.entityQuery,
        answer: shapes.entityAnswer,
      },
      (from, graph, request) => from.entity(graph, request),
    ),
    reading(
      '/api/v1/graph-neighbours',
      {
        tool: 'graph_get_neighbours',
        operationId: 'graphNeighbours',
        summary: 'What is near an entity of the knowledge graph',
        query: shapes.nearQuery,
        answer: shapes.nearAnswer,
      },
      (from, graph, request) => from.near(graph, request),
    ),
    reading(
      '/api/v1/graph-path',
      {
        tool: 'graph_find_path',
        operationId: 'graphPath',
        summary: 'A shortest path between two entities of the knowledge graph',
        query: shapes.pathQuery,
        answer: shapes.pathAnswer,
      },
      (from, graph, request) => from.path(graph, request),
    ),
    reading(
      '/api/v1/graph-stats',
      {
        tool: 'graph_get_stats',
        operationId: 'graphStats',
        summary: 'How much is in the knowledge graph, by type',
        query: shapes.statsQuery,
        answer: shapes.statsAnswer,
      },
      (from, graph, request) => from.stats(graph, request),
    ),
  ];
}
