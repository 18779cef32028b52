import { z } from 'zod';
import { integer } from '../../host/config/scalars.ts';

/** How `sluice n8n up` and `serve --with-n8n` run an n8n of our own under this name. */
export const localN8n = z.strictObject({
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, 'must be a whole version such as 2.41.1')
    .optional(),
  port: integer(1, 65_535).optional(),
  /** PostgreSQL as the DB_POSTGRESDB_* of the environment say; never by their presence alone. */
  database: z.enum(['sqlite', 'postgres']).default('sqlite'),
  /** Further variables for n8n. */
  env: z.record(z.string(), z.string()).default({}),
});
