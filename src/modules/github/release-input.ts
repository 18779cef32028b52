import { z } from 'zod';

export const releaseInput = z.int().min(1).describe('Id of the release');
export const tagInput = z
  .string()
  .min(1)
  .max(250)
  .regex(/^[^\s:~^?*[\\]+$/, 'must be a tag');
