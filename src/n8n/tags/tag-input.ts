import { z } from 'zod';

/** n8n allows 24 characters. */
export const tagNameInput = z.string().trim().min(1).max(24);

export const tagOutput = z.object({ id: z.string(), name: z.string() });
