import { z } from 'zod';

export const userInput = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .describe('User id or e-mail address; n8n_list_users shows them');

/** n8n's roles are `global:member` or `project:editor`. The short form is accepted, too. */
export const roleInput = (examples: string) =>
  z.string().trim().min(1).max(100).describe(`Role: ${examples}; n8n_list_roles shows all`);

export const roleNamed = (kind: 'global' | 'project', role: string): string =>
  role.includes(':') ? role : `${kind}:${role}`;
