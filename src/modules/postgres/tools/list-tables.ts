import { z } from 'zod';
import { MOST_LISTED, pageOf } from '../catalog/pages.ts';
import { KIND } from '../catalog/relation.ts';
import { postgresTool } from '../tool.ts';

interface Listed {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly rows?: number;
  readonly size?: string;
  readonly comment?: string;
}

export const postgresListTables = postgresTool({
  name: 'postgres_list_tables',
  title: 'List tables',
  description:
    'Lists tables and views with their estimated number of rows, size and comment, all schemas or one. Partitions are left out.',
  phrases:
    'list tables; which tables are there; show all tables and views; largest tables; what is in the database; find a table by name',
  effect: 'read',
  input: z.strictObject({
    schema: z.string().min(1).max(100).optional().describe('Only this schema'),
    query: z.string().min(1).max(100).optional().describe('Only names that contain this text'),
    kind: z.enum(['table', 'view', 'materialized view', 'foreign table']).optional().describe('Only these'),
    order: z.enum(['name', 'size']).optional().describe('size: largest first. Default name'),
    cursor: z.string().max(20).optional().describe('next_cursor of the answer before'),
  }),
  output: z.object({
    tables: z.array(
      z.object({
        schema: z.string(),
        name: z.string(),
        kind: z.string(),
        rows: z.number().optional().describe('Estimate'),
        size: z.string().optional(),
        comment: z.string().optional(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run({ schema, query, kind, order = 'name', cursor }, postgres, { signal }) {
    if (schema !== undefined) postgres.schemas.need(schema);
    const { rows } = await postgres.read(
      (run) =>
        run<{ item: Listed }>(
          `SELECT json_strip_nulls(json_build_object('schema', n.nspname, 'name', c.relname, 'kind', ${KIND},
             'rows', CASE WHEN c.relkind IN ('r', 'm', 'p') AND c.reltuples >= 0 THEN c.reltuples::bigint END,
             'size', CASE WHEN c.relkind IN ('r', 'm') THEN pg_size_pretty(pg_total_relation_size(c.oid)) END,
             'comment', left(obj_description(c.oid, 'pg_class'), 120))) AS item
           FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
           WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
             AND CASE WHEN $1::text IS NULL THEN n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
               ELSE n.nspname = $1 END
             AND ($2::text IS NULL OR strpos(lower(c.relname), lower($2)) > 0)
             AND ($3::text IS NULL OR ${KIND} IN ($3, 'partitioned ' || $3))
           ORDER BY ${order === 'size' ? `pg_total_relation_size(c.oid) DESC,` : ''} n.nspname, c.relname
           LIMIT ${MOST_LISTED}`,
          [schema ?? null, query ?? null, kind ?? null],
        ),
      signal,
    );
    const { items, ...next } = pageOf(
      rows.map(({ item }) => item).filter((item) => postgres.schemas.has(item.schema)),
      cursor,
    );
    return { tables: items, ...next };
  },
});
