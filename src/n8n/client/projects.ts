import { z } from 'zod';
import type { N8nHttp } from './http.ts';
import { readAll } from './paging.ts';

const projectShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string().default('team'),
  description: z.string().nullish(),
  creatorId: z.string().nullish(),
  createdAt: z.string().optional(),
});

const memberShape = z.looseObject({
  id: z.string(),
  email: z.string(),
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  role: z.string().nullish(),
});

export type Project = z.output<typeof projectShape>;

/** For n8n's internal API, which lists the same projects. */
export const projectsShape = z.array(projectShape);

export function projectsOf(http: N8nHttp) {
  const at = (id: string, rest = '') => `/api/v1/projects/${encodeURIComponent(id)}${rest}`;
  const member = (id: string, user: string) => at(id, `/users/${encodeURIComponent(user)}`);
  return {
    all: (signal?: AbortSignal) => readAll(http, '/api/v1/projects', projectShape, {}, signal),
    create: async (name: string, signal?: AbortSignal) =>
      projectShape.parse(await http.ask('POST', '/api/v1/projects', { body: { name }, ...(signal && { signal }) })),
    async rename(id: string, name: string, signal?: AbortSignal): Promise<void> {
      await http.ask('PUT', at(id), { body: { name }, ...(signal && { signal }) });
    },
    /** Deletes everything in it, too. */
    async delete(id: string, signal?: AbortSignal): Promise<void> {
      await http.ask('DELETE', at(id), signal ? { signal } : {});
    },
    members: (id: string, signal?: AbortSignal) => readAll(http, at(id, '/users'), memberShape, {}, signal),
    /** All of them or none. Whoever is a member already gets the new role. */
    async addMembers(
      id: string,
      relations: readonly { readonly userId: string; readonly role: string }[],
      signal?: AbortSignal,
    ): Promise<void> {
      await http.ask('POST', at(id, '/users'), { body: { relations }, ...(signal && { signal }) });
    },
    async removeMember(id: string, user: string, signal?: AbortSignal): Promise<void> {
      await http.ask('DELETE', member(id, user), signal ? { signal } : {});
    },
  };
}
