import { z } from 'zod';

export const DEFAULT_SECONDS = 60;

export const waitInput = z
  .int()
  .min(1)
  .max(900)
  .optional()
  .describe(`Seconds to wait for its end; then it continues by itself. Default: ${DEFAULT_SECONDS}`);
