import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { Pgvector } from './connect.ts';

export const pgvectorTool = toolsFor<Pgvector>({ category: 'pgvector' });

/** A name that PostgreSQL can have. */
const name = z
  .string()
  .min(1)
  .max(300)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f]+$/, 'must have no control characters');

export const collectionInput = name.describe(
  'Collection: a table with vectors, or table/name for a collection of LangChain',
);

export const idInput = z
  .union([z.string().min(1).max(1000), z.int()])
  .transform(String)
  .describe('Id');

export const idsInput = z.array(idInput).min(1).max(500);

export const filterInput = z
  .record(z.string().max(200), z.unknown())
  .describe(
    'Conditions on metadata keys (a.b for nested ones) or columns: {"source": "a.pdf", "year": {"gte": 2020}, "tag": {"in": ["x", "y"]}, "draft": {"exists": false}}; also ne, nin, gt, lt, lte, contains, and: […], or: […], not: {…}. 5 is not "5"',
  );

export const vectorInput = z.array(z.number()).min(1).max(16_000);
