import { z } from 'zod';

/** Raised when an older Sluice could not restore what this one writes. */
export const FORMAT = 1;

/** The first file of a backup. */
export const MANIFEST = 'manifest.json';
/** In front of the path of every other file. */
export const PREFIX = 'home/';

/** A relative path that stays below its folder. */
const safePath = z
  .string()
  .max(1024)
  .refine(
    (path) =>
      !path.includes('\\') &&
      !path.includes('\0') &&
      path.split('/').every((name) => name !== '' && name !== '.' && name !== '..'),
  );

export const manifestSchema = z.object({
  format: z.int().positive(),
  sluice: z.string(),
  createdAt: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  key: z.enum(['included', 'left out', 'none']),
  files: z.array(
    z.object({
      path: safePath,
      size: z.int().nonnegative(),
      sha256: z.string().regex(/^[\da-f]{64}$/),
      program: z.boolean().optional(),
    }),
  ),
});

export type Manifest = z.output<typeof manifestSchema>;
