import { z } from 'zod';

/** Every n8n tool takes this: which instance to use. */
export const instanceInput = z
  .string()
  .optional()
  .describe('Which n8n, by its name in the configuration. Default: the one called default, or the only one');
