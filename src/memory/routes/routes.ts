import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { ToolSource } from '../../kernel/source.ts';
import { requireTool } from '../../kernel/tool-right.ts';
import type { OpenMemory } from '../tool.ts';
import type * as Reading from './reading.ts';
import type { Named } from './described.ts';

interface RoutesDeps {
  open(): Promise<OpenMemory>;
  readonly source: ToolSource;
}

/** Memories for programs and the console: whole texts and long pages, where the tools keep their replies short. */
export function memoryRoutes({ open, source }: RoutesDeps): Route[] {
  /** Whoever may call the tool may read the same here. */
  const reading = (
    path: string,
    tool: string,
    described: Named,
    answer: (from: typeof Reading, memory: OpenMemory, asked: RouteRequest) => Promise<unknown>,
  ): Route => ({
    path,
    scope: 'memory:read',
    openapi: async () => (await import('./described.ts')).described[described],
    async handle(asked) {
      requireTool(source, tool, asked.principal);
      const [from, memory] = await Promise.all([import('./reading.ts'), open()]);
      return Response.json(await answer(from, memory, asked), { headers: { 'cache-control': 'no-store' } });
    },
  });

  return [
    reading('/api/v1/memories', 'memory_search', 'memories', (from, memory, asked) => from.list(memory, asked)),
    reading('/api/v1/memories/:id', 'memory_get', 'memory', (from, memory, asked) => from.one(memory, asked)),
    reading('/api/v1/memories/:id/near', 'memory_get', 'memoryNear', (from, memory, asked) => from.near(memory, asked)),
    reading('/api/v1/memory-state', 'memory_get_stats', 'memoryState', (from, memory) => from.state(memory)),
    reading('/api/v1/memory-namespaces', 'memory_list_namespaces', 'memoryNamespaces', (from, memory, asked) =>
      from.namespaces(memory, asked),
    ),
  ];
}
