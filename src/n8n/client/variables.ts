import { z } from 'zod';
import type { N8nHttp } from './http.ts';
import { readAll } from './paging.ts';

const variableShape = z.looseObject({
  id: z.string(),
  key: z.string(),
  value: z.string(),
  /** Null: it holds for the whole n8n. */
  project: z.looseObject({ id: z.string(), name: z.string() }).nullish(),
});

export type Variable = z.output<typeof variableShape>;

export interface VariableBody {
  readonly key: string;
  readonly value: string;
  readonly projectId?: string;
}

export function variablesOf(http: N8nHttp) {
  const at = (id: string) => `/api/v1/variables/${encodeURIComponent(id)}`;
  return {
    all: (signal?: AbortSignal) => readAll(http, '/api/v1/variables', variableShape, {}, signal),
    async create(body: VariableBody, signal?: AbortSignal): Promise<void> {
      await http.ask('POST', '/api/v1/variables', { body, ...(signal && { signal }) });
    },
    async update(id: string, body: VariableBody, signal?: AbortSignal): Promise<void> {
      await http.ask('PUT', at(id), { body, ...(signal && { signal }) });
    },
    async delete(id: string, signal?: AbortSignal): Promise<void> {
      await http.ask('DELETE', at(id), signal ? { signal } : {});
    },
  };
}
