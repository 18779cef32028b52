import { z } from 'zod';
import type { N8nHttp } from './http.ts';
import { type Page, readAll, readPage } from './paging.ts';
import { type Credential, credentialShape } from './shapes.ts';

const testShape = z.looseObject({ status: z.string(), message: z.string().nullish() });

export interface NewCredential {
  name: string;
  type: string;
  data: Record<string, unknown>;
  /** To recreate a deleted credential, so that workflows find it. */
  id?: string;
  projectId?: string;
}

export function credentialsOf(http: N8nHttp) {
  const at = (id: string, rest = '') => `/api/v1/credentials/${encodeURIComponent(id)}${rest}`;
  return {
    page: (query: { limit?: number; cursor?: string }, signal?: AbortSignal): Promise<Page<Credential>> =>
      readPage(http, '/api/v1/credentials', credentialShape, query, signal),
    all: (signal?: AbortSignal) => readAll(http, '/api/v1/credentials', credentialShape, {}, signal),
    get: async (id: string, signal?: AbortSignal) =>
      credentialShape.parse(await http.ask('GET', at(id), signal ? { signal } : {})),
    create: async (credential: NewCredential, signal?: AbortSignal) =>
      credentialShape.parse(
        await http.ask('POST', '/api/v1/credentials', { body: credential, ...(signal && { signal }) }),
      ),
    /** With `isPartialData` n8n merges the values into the existing ones; without it they replace all of them. */
    update: async (
      id: string,
      change: Partial<Pick<NewCredential, 'name' | 'type' | 'data'>> & { isPartialData?: boolean },
      signal?: AbortSignal,
    ) => credentialShape.parse(await http.ask('PATCH', at(id), { body: change, ...(signal && { signal }) })),
    async delete(id: string, signal?: AbortSignal): Promise<void> {
      await http.ask('DELETE', at(id), signal ? { signal } : {});
    },
    async transfer(id: string, destinationProjectId: string): Promise<void> {
      await http.ask('PUT', at(id, '/transfer'), { body: { destinationProjectId } });
    },
    test: async (id: string, signal?: AbortSignal) =>
      testShape.parse(await http.ask('POST', at(id, '/test'), { body: {}, ...(signal && { signal }) })),
    schema: async (type: string, signal?: AbortSignal) =>
      z
        .record(z.string(), z.unknown())
        .parse(
          await http.ask('GET', `/api/v1/credentials/schema/${encodeURIComponent(type)}`, signal ? { signal } : {}),
        ),
  };
}
