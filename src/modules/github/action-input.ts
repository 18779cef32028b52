import { z } from 'zod';

export const runInput = z.int().min(1).describe('Id of the run');

/** GitHub takes the id or the name of the file, without its folder. */
export const workflowInput = z
  .union([z.int().min(1), z.string().min(1).max(300)])
  .transform((given) => String(given).replace(/^\.github\/workflows\//, ''))
  .describe('Its id, or its file such as ci.yml');
