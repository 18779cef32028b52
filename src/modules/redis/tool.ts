import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { Redis } from './connection.ts';

export const redisTool = toolsFor<Redis>({ category: 'redis' });

const LONGEST_KEY = 1024;
const LONGEST_VALUE = 1_000_000;

export const keyInput = z.string().min(1).max(LONGEST_KEY);
export const key = { key: keyInput.describe('Of the value, such as app:user:1') };

/** A value that is stored as text. */
export const valueInput = z.union([z.string().max(LONGEST_VALUE), z.number()]);

export const fields = {
  fields: z
    .record(z.string().max(4096), valueInput)
    .refine((fields) => Object.keys(fields).length > 0, 'has no field')
    .refine((fields) => Object.keys(fields).length <= 1000, 'has more than 1,000 fields')
    .describe('Values by field'),
};

export const ttl = {
  ttl: z.int().min(1).max(3_153_600_000).optional().describe('Seconds until the whole key expires'),
};

export const nameInput = z.string().max(LONGEST_KEY);

/** Redis matches these itself. Every star may cost it another pass over each name. */
export const patternInput = z
  .string()
  .min(1)
  .max(500)
  .refine((pattern) => (pattern.match(/\*+/g)?.length ?? 0) <= 8, 'has too many stars: at most 8')
  .transform((pattern) => pattern.replace(/\*{2,}/g, '*'));

export const limitOf = (usual: number) => z.int().min(1).max(1000).default(usual).describe('How many at most');
export const cursorInput = z.string().max(40).optional().describe('From the page before');

/** Of a tool that goes over many keys. */
export const walkCursor = z
  .string()
  .regex(/^\d{1,20}$/, 'is not a cursor of this tool')
  .optional();

/** Fields of a value in an output; see `Shown`. */
export const shownOutput = {
  value: z.string(),
  encoding: z.literal('base64').optional().describe('Set if the value is not text'),
  bytes: z.int().optional().describe('The whole size, if only a part is shown'),
};

export const cursorOutput = z.string().optional().describe('For the next page');
