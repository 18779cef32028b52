import { z } from 'zod';
import { MOST_LISTED, pageOf } from '../catalog/pages.ts';
import { postgresTool } from '../tool.ts';

interface Found {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly comment?: string;
}

export const postgresFindColumns = postgresTool({
  name: 'postgres_find_columns',
  title: 'Find columns',
  description: 'Finds columns of all tables and views whose name or comment contains a text, such as email.',
  phrases:
    'which table has a column called; find a column; where is the email stored; search columns by name; tables with customer_id',
  effect: 'read',
  input: z.strictObject({
    query: z.string().min(1).max(100).describe('A part of the name or of the comment'),
    schema: z.string().min(1).max(100).optional().describe('Only this schema'),
    cursor: z.string().max(20).optional().describe('next_cursor of the answer before'),
  }),
  output: z.object({
    columns: z.array(
      z.object({
        schema: z.string(),
        table: z.string(),
        column: z.string(),
        type: z.string(),
        comment: z.string().optional(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run({ query, schema, cursor }, postgres, { signal }) {
    if (schema !== undefined) postgres.schemas.need(schema);
    const { rows } = await postgres.read(
      (run) =>
        run<{ item: Found }>(
          `SELECT json_strip_nulls(json_build_object('schema', n.nspname, 'table', c.relname, 'column', a.attname,
             'type', format_type(a.atttypid, a.atttypmod), 'comment', left(col_description(c.oid, a.attnum), 120))) AS item
           FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
           JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
           WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
             AND CASE WHEN $2::text IS NULL THEN n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
               ELSE n.nspname = $2 END
             AND (strpos(lower(a.attname), lower($1)) > 0
               OR strpos(lower(coalesce(col_description(c.oid, a.attnum), '')), lower($1)) > 0)
           ORDER BY lower(a.attname) <> lower($1), n.nspname, c.relname, a.attnum LIMIT ${MOST_LISTED}`,
          [query, schema ?? null],
        ),
      signal,
    );
    const { items, ...next } = pageOf(
      rows.map(({ item }) => item).filter((item) => postgres.schemas.has(item.schema)),
      cursor,
    );
    return { columns: items, ...next };
  },
});
