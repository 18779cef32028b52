import { z } from 'zod';

export const DEFAULT_SECONDS = 60;

export const waitInput = z
  .int()
  .min(1)
  .max(900)
  .optional()
  .describe(`How many seconds to wait for its end, ${DEFAULT_SECONDS} unless told; after that it goes on by itself`);
