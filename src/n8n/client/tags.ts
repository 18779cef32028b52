import type { N8nHttp } from './http.ts';
import { readAll } from './paging.ts';
import { tagShape } from './shapes.ts';

export function tagsOf(http: N8nHttp) {
  const at = (id: string) => `/api/v1/tags/${encodeURIComponent(id)}`;
  return {
    all: (signal?: AbortSignal) => readAll(http, '/api/v1/tags', tagShape, {}, signal),
    create: async (name: string, signal?: AbortSignal) =>
      tagShape.parse(await http.ask('POST', '/api/v1/tags', { body: { name }, ...(signal && { signal }) })),
    rename: async (id: string, name: string, signal?: AbortSignal) =>
      tagShape.parse(await http.ask('PUT', at(id), { body: { name }, ...(signal && { signal }) })),
    async delete(id: string, signal?: AbortSignal): Promise<void> {
      await http.ask('DELETE', at(id), signal ? { signal } : {});
    },
  };
}
