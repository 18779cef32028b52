import { z } from 'zod';

export const projectInput = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .describe('Project id or name; n8n_list_projects shows them');

export const projectNameInput = z.string().trim().min(1).max(255);

export const projectOutput = z.object({ id: z.string(), name: z.string() });
