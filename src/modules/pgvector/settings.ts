import { z } from 'zod';
import { modelChoice } from '../../embedder/choice.ts';
import { allowList } from '../allowed.ts';
import { postgresUrl } from '../postgres/settings.ts';

export const pgvectorSettings = z.object({
  url: postgresUrl,
  /** Where the tables with vectors are. */
  schema: z
    .string()
    .min(1)
    .max(63)
    // oxlint-disable-next-line no-control-regex
    .refine((name) => !/[\u0000-\u001f]/.test(name) && !name.startsWith('pg_'), 'is not the name of a schema')
    .default('public'),
  /** The collections that may be read and changed: names or globs; default all tables with vectors in the schema. */
  collections: allowList,
  embedder: modelChoice,
});

export type PgvectorSettings = z.output<typeof pgvectorSettings>;
