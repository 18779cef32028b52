import { z } from 'zod';
import { MOST_LISTED, pageOf } from '../catalog/pages.ts';
import { postgresTool } from '../tool.ts';

interface Listed {
  readonly name: string;
  readonly owner: string;
  readonly tables: number;
  readonly views: number;
  readonly functions: number;
  readonly comment?: string;
}

export const postgresListSchemas = postgresTool({
  name: 'postgres_list_schemas',
  title: 'List schemas',
  description: 'Lists the schemas in reach with their owner and how many tables, views and functions each has.',
  phrases: 'list schemas; which schemas does the database have; show schemas; namespaces in postgres',
  effect: 'read',
  input: z.strictObject({ cursor: z.string().max(20).optional().describe('next_cursor of the answer before') }),
  output: z.object({
    schemas: z.array(
      z.object({
        name: z.string(),
        owner: z.string(),
        tables: z.int(),
        views: z.int(),
        functions: z.int(),
        comment: z.string().optional(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run({ cursor }, postgres, { signal }) {
    const { rows } = await postgres.read(
      (run) =>
        run<{ item: Listed }>(
          `SELECT json_strip_nulls(json_build_object('name', n.nspname, 'owner', pg_get_userbyid(n.nspowner),
             'tables', (SELECT count(*) FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'f')),
             'views', (SELECT count(*) FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid AND c.relkind IN ('v', 'm')),
             'functions', (SELECT count(*) FROM pg_catalog.pg_proc p WHERE p.pronamespace = n.oid),
             'comment', left(obj_description(n.oid, 'pg_namespace'), 200))) AS item
           FROM pg_catalog.pg_namespace n
           WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
           ORDER BY n.nspname LIMIT ${MOST_LISTED}`,
        ),
      signal,
    );
    const { items, ...next } = pageOf(
      rows.map(({ item }) => item).filter(({ name }) => postgres.schemas.has(name)),
      cursor,
    );
    return { schemas: items, ...next };
  },
});
