import { z } from 'zod';
import { integer } from '../../host/config/scalars.ts';
import { N8N_VERSION, PINNED_N8N } from '../../nodes/which-n8n.ts';

/** How `sluice n8n up` and `serve --with-n8n` run an n8n of our own under this name. */
export const localN8n = z.strictObject({
  version: z.string().regex(N8N_VERSION, `must be a version of n8n in full, such as ${PINNED_N8N}`).optional(),
  port: integer(1, 65_535).optional(),
  /** PostgreSQL as the DB_POSTGRESDB_* of the environment say; never by their presence alone. */
  database: z.enum(['sqlite', 'postgres']).default('sqlite'),
  /** Further variables for n8n. */
  env: z.record(z.string(), z.string()).default({}),
});
