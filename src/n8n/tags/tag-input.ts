import { z } from 'zod';

/** n8n takes names of up to 24 characters. */
export const tagNameInput = z.string().trim().min(1).max(24);

export const tagOutput = z.object({ id: z.string(), name: z.string() });
