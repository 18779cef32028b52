import { z } from 'zod';
import type { N8nHttp } from './http.ts';
import { readAll } from './paging.ts';

const userShape = z.looseObject({
  id: z.string(),
  email: z.string(),
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  isPending: z.boolean().optional(),
  role: z.string().nullish(),
  mfaEnabled: z.boolean().optional(),
  createdAt: z.string().optional(),
});

const invitedShape = z.looseObject({
  user: z.looseObject({
    id: z.string(),
    email: z.string(),
    role: z.string().nullish(),
    emailSent: z.boolean().optional(),
  }),
  error: z.string().nullish(),
});

const roleShape = z.looseObject({
  slug: z.string(),
  displayName: z.string(),
  description: z.string().nullish(),
  systemRole: z.boolean().optional(),
  licensed: z.boolean().optional(),
  scopes: z.array(z.string()).default([]),
  usedByUsers: z.number().optional(),
  usedByProjects: z.number().optional(),
});

export type User = z.output<typeof userShape>;
export type Role = z.output<typeof roleShape>;

export function usersOf(http: N8nHttp) {
  const at = (id: string, rest = '') => `/api/v1/users/${encodeURIComponent(id)}${rest}`;
  return {
    all: (signal?: AbortSignal) => readAll(http, '/api/v1/users', userShape, { includeRole: true }, signal),
    /** n8n's description promises an object, but n8n answers with a list. */
    invite: async (users: readonly { readonly email: string; readonly role?: string }[], signal?: AbortSignal) =>
      z.array(invitedShape).parse(await http.ask('POST', '/api/v1/users', { body: users, ...(signal && { signal }) })),
    /** By id. n8n does not take an e-mail address, although its description says so; the same is true of `delete`. */
    async setRole(id: string, newRoleName: string, signal?: AbortSignal): Promise<void> {
      await http.ask('PATCH', at(id, '/role'), { body: { newRoleName }, ...(signal && { signal }) });
    },
    /** Deletes the workflows and credentials of the user, too. */
    async delete(id: string, signal?: AbortSignal): Promise<void> {
      await http.ask('DELETE', at(id), signal ? { signal } : {});
    },
    roles: async (signal?: AbortSignal) =>
      z
        .object({ global: z.array(roleShape), project: z.array(roleShape) })
        .parse(
          await http.ask('GET', '/api/v1/roles', { query: { withUsageCount: 'true' }, ...(signal && { signal }) }),
        ),
  };
}
