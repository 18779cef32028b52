import { late } from '../../kernel/late.ts';
import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { Handling, HandlingDeps } from './handling.ts';
import type * as Shapes from './shapes.ts';

const SCOPE = 'n8n:read';

/** What a drawing of a workflow needs and no tool says: tools keep their answers short. Its code is loaded with the first request. */
export function drawingRoutes(deps: HandlingDeps): Route[] {
  const load = late(async () => (await import('./handling.ts')).createHandling(deps));
  const route = (path: string, about: About, answer: (handling: Handling, asked: RouteRequest) => unknown): Route => ({
    path,
    scope: SCOPE,
    async openapi() {
      const [{ answered }, shapes] = await Promise.all([import('../../kernel/described.ts'), import('./shapes.ts')]);
      const { id, summary, shape } = about;
      return { operationId: id, summary, tags: ['n8n'], responses: answered(shapes[shape]) };
    },
    handle: async (asked) =>
      new Response(deps.redact(JSON.stringify(await answer(await load(), asked))), {
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      }),
  });
  return [
    route(
      '/api/v1/n8n',
      { id: 'n8nInstances', summary: 'The n8n instances, and whether they can be reached', shape: 'instancesShape' },
      (handling, { principal }) => handling.instances(principal),
    ),
    route(
      '/api/v1/n8n/:instance/workflows/:id/drawing',
      { id: 'n8nDrawing', summary: 'A workflow as it is drawn: nodes, positions, branches', shape: 'drawingShape' },
      (handling, asked) => handling.drawing(asked),
    ),
    route(
      '/api/v1/n8n/:instance/executions/:id/drawing',
      { id: 'n8nRun', summary: 'What ran in an execution: items for each node and branch, errors', shape: 'runShape' },
      (handling, asked) => handling.run(asked),
    ),
  ];
}

interface About {
  readonly id: string;
  readonly summary: string;
  readonly shape: Exclude<keyof typeof Shapes, 'default'>;
}
