import { z } from 'zod';

export const numberInput = z.int().min(1).describe('Its number, without #');
export const titleInput = z.string().trim().min(1).max(256);
export const bodyInput = z.string().max(65_536).describe('Markdown');
export const labelsInput = z.array(z.string().min(1).max(100)).max(100);
export const loginsInput = z.array(z.string().regex(/^[\w-]+(?:\[bot\])?$/, 'must be a user name')).max(10);
export const shaInput = z
  .string()
  .regex(/^[\da-f]{40}(?:[\da-f]{24})?$/, 'must be a whole commit id, of 40 hexadecimal digits');
export const offsetInput = z.int().min(0).optional().describe('Where in a long text to begin');
