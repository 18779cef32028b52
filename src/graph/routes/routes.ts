import type { Route } from '../../kernel/route.ts';
import type { ToolSource } from '../../kernel/source.ts';
import { requireTool } from '../../kernel/tool-right.ts';
import type { GraphEngine } from '../engine.ts';
import type { Named } from './described.ts';
import type * as Reading from './reading.ts';

/** The graph for programs and the console: whole texts and long pages, where the tools keep their replies short. */
export function graphRoutes({ open, source }: { open(): Promise<GraphEngine>; source: ToolSource }): Route[] {
  /** Whoever may call the tool may read the same here. */
  const reading = (
    path: string,
    tool: string,
    described: Named,
    read: (from: typeof Reading, graph: GraphEngine, request: Request) => Promise<unknown>,
  ): Route => ({
    path,
    scope: 'graph:read',
    openapi: async () => (await import('./described.ts')).described[described],
    async handle({ request, principal }) {
      requireTool(source, tool, principal);
      const [from, graph] = await Promise.all([import('./reading.ts'), open()]);
      return Response.json(await read(from, graph, request), { headers: { 'cache-control': 'no-store' } });
    },
  });

  return [
    reading('/api/v1/graph-entities', 'graph_get_subgraph', 'graphEntities', (from, graph, request) =>
      from.list(graph, request),
    ),
    reading('/api/v1/graph-search', 'graph_search', 'graphSearch', (from, graph, request) =>
      from.search(graph, request),
    ),
    reading('/api/v1/graph-entity', 'graph_get_entities', 'graphEntity', (from, graph, request) =>
      from.entity(graph, request),
    ),
    reading('/api/v1/graph-neighbours', 'graph_get_neighbours', 'graphNeighbours', (from, graph, request) =>
      from.near(graph, request),
    ),
    reading('/api/v1/graph-path', 'graph_find_path', 'graphPath', (from, graph, request) => from.path(graph, request)),
    reading('/api/v1/graph-stats', 'graph_get_stats', 'graphStats', (from, graph, request) =>
      from.stats(graph, request),
    ),
  ];
}
