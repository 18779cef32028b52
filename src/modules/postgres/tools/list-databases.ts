import { z } from 'zod';
import { MOST_LISTED, pageOf } from '../catalog/pages.ts';
import { postgresTool } from '../tool.ts';

interface Listed {
  readonly name: string;
  readonly owner: string;
  readonly size?: string;
  readonly current?: true;
}

export const postgresListDatabases = postgresTool({
  name: 'postgres_list_databases',
  title: 'List databases',
  description:
    'Lists the databases of the server with owner and size. The tools work in the one marked current; another needs a section of its own in sluice.yaml.',
  phrases: 'list databases; which databases are on the server; size of the database; show databases',
  effect: 'read',
  input: z.strictObject({ cursor: z.string().max(20).optional().describe('next_cursor of the answer before') }),
  output: z.object({
    databases: z.array(
      z.object({
        name: z.string(),
        owner: z.string(),
        size: z.string().optional(),
        current: z.literal(true).optional(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run({ cursor }, postgres, { signal }) {
    const { rows } = await postgres.read(
      (run) =>
        run<{ item: Listed }>(
          `SELECT json_strip_nulls(json_build_object('name', datname, 'owner', pg_get_userbyid(datdba),
             'size', CASE WHEN has_database_privilege(oid, 'CONNECT') THEN pg_size_pretty(pg_database_size(oid)) END,
             'current', CASE WHEN datname = current_database() THEN true END)) AS item
           FROM pg_catalog.pg_database WHERE NOT datistemplate
           ORDER BY datname <> current_database(), datname LIMIT ${MOST_LISTED}`,
        ),
      signal,
    );
    const { items, ...next } = pageOf(
      rows.map(({ item }) => item),
      cursor,
    );
    return { databases: items, ...next };
  },
});
