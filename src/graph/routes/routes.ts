import { z } from 'zod';
import { answered, askedIn, inQuery } from '../../kernel/described.ts';
import type { Route } from '../../kernel/route.ts';
import type { ToolSource } from '../../kernel/source.ts';
import { requireTool } from '../../kernel/tool-right.ts';
import type { GraphEngine } from '../engine.ts';

const MOST_IN_PAGE = 2000;

const query = z.strictObject({
  as_of: z.string().max(100).optional().describe('What was true then: an ISO time, or 30d'),
  limit: z.coerce.number().int().min(1).max(MOST_IN_PAGE).default(500),
  after: z.string().max(1000).optional().describe('`next` of the page before'),
});

const answer = z.object({
  entities: z.array(z.object({ name: z.string(), type: z.string() })).describe('Oldest first'),
  next: z.string().optional().describe('For the next page, as `after`'),
  since: z.string().optional().describe('When the first entity of all was recorded'),
});

/** The names in the graph for programs and the console, in long pages. */
export function graphRoutes({ open, source }: { open(): Promise<GraphEngine>; source: ToolSource }): Route[] {
  return [
    {
      path: '/api/v1/graph-entities',
      scope: 'graph:read',
      get openapi() {
        return {
          operationId: 'graphEntities',
          summary: 'Names and types of the entities of the knowledge graph',
          tags: ['graph'],
          parameters: inQuery(query),
          responses: answered(answer),
        };
      },
      async handle({ request, principal }) {
        requireTool(source, 'graph_get_subgraph', principal);
        const { as_of, limit, after } = askedIn(query, request);
        const [graph, { asOf }] = await Promise.all([open(), import('../tool.ts')]);
        const page = { asOf: asOf(as_of), limit, ...(after !== undefined && { after }) };
        const [{ items, next }, first] = await Promise.all([
          graph.heads(page),
          graph.entities({ asOf: 'any', limit: 1, observations: 0 }),
        ]);
        const found: z.infer<typeof answer> = {
          entities: items.map(({ name, type }) => ({ name, type })),
          ...(next !== undefined && { next }),
          ...(first.items[0] && { since: first.items[0].recordedAt }),
        };
        return Response.json(found, { headers: { 'cache-control': 'no-store' } });
      },
    },
  ];
}
