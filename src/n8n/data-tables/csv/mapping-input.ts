import { z } from 'zod';
import { columnTypes } from '../../client/data-tables.ts';

export const mappingInput = z
  .record(z.string(), z.union([z.string().trim().min(1), z.null()]))
  .describe('Headings and their columns: { "E-mail": "email", "Notes": null }. null leaves one out');

export const typesInput = z
  .record(z.string(), z.enum(columnTypes))
  .describe('create: types of columns that are not to be inferred: { "zip": "string" }');
