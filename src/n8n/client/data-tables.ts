import { z } from 'zod';
import type { N8nHttp } from './http.ts';
import { readAll } from './paging.ts';

const tableShape = z.looseObject({ id: z.string(), name: z.string(), columns: z.array(z.unknown()).default([]) });
const rowShape = z.record(z.string(), z.unknown());

export function dataTablesOf(http: N8nHttp) {
  return {
    all: (signal?: AbortSignal) => readAll(http, '/api/v1/data-tables', tableShape, {}, signal),
    rows: (id: string, signal?: AbortSignal) =>
      readAll(http, `/api/v1/data-tables/${encodeURIComponent(id)}/rows`, rowShape, {}, signal),
  };
}
