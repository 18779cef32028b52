import { z } from 'zod';

/** For every tool: which n8n is meant. */
export const instanceInput = z
  .string()
  .optional()
  .describe('Which n8n, as the configuration names it; the one called default, or the only one, unless told');
