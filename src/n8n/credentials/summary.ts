import { z } from 'zod';
import type { Credential } from '../client/shapes.ts';

/** A credential without its values, which n8n never returns. */
export const credentialSummary = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  created: z.string().optional(),
  updated: z.string().optional(),
  managed: z.boolean().optional().describe('Belongs to n8n itself and cannot be changed'),
});

export type CredentialSummary = z.output<typeof credentialSummary>;

export function credentialSummaryOf({
  id,
  name,
  type,
  createdAt,
  updatedAt,
  isManaged,
}: Credential): CredentialSummary {
  return {
    id,
    name,
    type,
    ...(createdAt !== undefined && { created: createdAt }),
    ...(updatedAt !== undefined && { updated: updatedAt }),
    ...(isManaged === true && { managed: true }),
  };
}
