import { z } from 'zod';
import type { N8nHttp } from './http.ts';
import { type Page, readAll, readPage } from './paging.ts';
import { type Execution, executionShape } from './shapes.ts';

export interface ExecutionFilter {
  status?: string;
  workflowId?: string;
  projectId?: string;
  startedAfter?: string;
  startedBefore?: string;
  limit?: number;
  cursor?: string;
  includeData?: boolean;
}

// The answer to a stop has no id.
const stoppedShape = z.looseObject({ status: z.string(), stoppedAt: z.string().nullish() });

export function executionsOf(http: N8nHttp) {
  const at = (id: string, rest = '') => `/api/v1/executions/${encodeURIComponent(id)}${rest}`;

  return {
    /** Without a status, n8n leaves out the running ones. */
    page: (filter: ExecutionFilter, signal?: AbortSignal): Promise<Page<Execution>> =>
      readPage(http, '/api/v1/executions', executionShape, { ...filter }, signal),
    all: (filter: ExecutionFilter = {}, signal?: AbortSignal) =>
      readAll(http, '/api/v1/executions', executionShape, { ...filter }, signal),
    /** `whole` asks for the data even beyond n8n's size limit. */
    async get(id: string, data: boolean | 'whole', signal?: AbortSignal): Promise<Execution> {
      const query = { includeData: data !== false, ...(data === 'whole' && { ignoreDataSizeLimit: true }) };
      return executionShape.parse(await http.ask('GET', at(id), { query, ...(signal && { signal }) }));
    },
    /** n8n answers only when the new run has ended. */
    async retry(id: string, loadWorkflow: boolean, timeoutMs: number, signal?: AbortSignal): Promise<Execution> {
      const ask = { body: { loadWorkflow }, timeoutMs, ...(signal && { signal }) };
      return executionShape.parse(await http.ask('POST', at(id, '/retry'), ask));
    },
    stop: async (id: string, signal?: AbortSignal) =>
      stoppedShape.parse(await http.ask('POST', at(id, '/stop'), { body: {}, ...(signal && { signal }) })),
    async delete(id: string, signal?: AbortSignal): Promise<void> {
      await http.ask('DELETE', at(id), signal ? { signal } : {});
    },
  };
}
