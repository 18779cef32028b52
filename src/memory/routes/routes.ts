import { answered, inQuery } from '../../kernel/described.ts';
import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { ToolSource } from '../../kernel/source.ts';
import { requireTool } from '../../kernel/tool-right.ts';
import type { OpenMemory } from '../tool.ts';
import type * as Reading from './reading.ts';
import { listAnswer, listQuery, memoryAnswer, namespacesAnswer, nearAnswer, stateAnswer } from './answers.ts';

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
    openapi: () => Route['openapi'],
    answer: (from: typeof Reading, memory: OpenMemory, asked: RouteRequest) => Promise<unknown>,
  ): Route => ({
    path,
    scope: 'memory:read',
    get openapi() {
      return openapi();
    },
    async handle(asked) {
      requireTool(source, tool, asked.principal);
      const [from, memory] = await Promise.all([import('./reading.ts'), open()]);
      return Response.json(await answer(from, memory, asked), { headers: { 'cache-control': 'no-store' } });
    },
  });

  return [
    reading(
      '/api/v1/memories',
      'memory_search',
      () => ({
        operationId: 'memories',
        summary: 'Lists memories, newest first, or searches them',
        tags: ['memory'],
        parameters: inQuery(listQuery),
        responses: answered(listAnswer),
      }),
      (from, memory, asked) => from.list(memory, asked),
    ),
    reading(
      '/api/v1/memories/:id',
      'memory_get',
      () => ({
        operationId: 'memory',
        summary: 'A memory in full, with its versions',
        tags: ['memory'],
        responses: answered(memoryAnswer),
      }),
      (from, memory, asked) => from.one(memory, asked),
    ),
    reading(
      '/api/v1/memories/:id/near',
      'memory_get',
      () => ({
        operationId: 'memoryNear',
        summary: 'Memories of the same namespace that repeat or contradict this one',
        tags: ['memory'],
        responses: answered(nearAnswer),
      }),
      (from, memory, asked) => from.near(memory, asked),
    ),
    reading(
      '/api/v1/memory-state',
      'memory_get_stats',
      () => ({
        operationId: 'memoryState',
        summary: 'Where memories are stored, and which model compares meanings',
        tags: ['memory'],
        responses: answered(stateAnswer),
      }),
      (from, memory) => from.state(memory),
    ),
    reading(
      '/api/v1/memory-namespaces',
      'memory_list_namespaces',
      () => ({
        operationId: 'memoryNamespaces',
        summary: 'The namespaces that you may use, and what is in them',
        tags: ['memory'],
        responses: answered(namespacesAnswer),
      }),
      (from, memory, asked) => from.namespaces(memory, asked),
    ),
  ];
}
