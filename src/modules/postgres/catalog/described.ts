import type { Run } from '../connection.ts';
import type { Relation } from './relation.ts';

/** What a table consists of. The names of the parts are what the tool calls them. */
export const PARTS = [
  'columns',
  'indexes',
  'constraints',
  'referenced_by',
  'triggers',
  'policies',
  'partitions',
] as const;
export type Part = (typeof PARTS)[number];

/** Each part as SQL that gives a JSON object a row, without what is null. */
const SQL: Readonly<Record<Part, string>> = {
  columns: `SELECT json_strip_nulls(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'nullable', NOT a.attnotnull, 'default', left(pg_get_expr(d.adbin, d.adrelid), 200),
      'generated', CASE WHEN a.attgenerated <> '' THEN true END,
      'identity', CASE a.attidentity WHEN 'a' THEN 'always' WHEN 'd' THEN 'by default' END,
      'comment', left(col_description(a.attrelid, a.attnum), 300))) AS item
    FROM pg_catalog.pg_attribute a
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
  indexes: `SELECT json_strip_nulls(json_build_object('name', c.relname, 'definition', left(pg_get_indexdef(i.indexrelid), 400),
      'size', pg_size_pretty(pg_relation_size(i.indexrelid)),
      'valid', CASE WHEN NOT i.indisvalid THEN false END)) AS item
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = $1::oid ORDER BY NOT i.indisprimary, c.relname LIMIT 1000`,
  constraints: `SELECT json_build_object('name', conname, 'definition', left(pg_get_constraintdef(oid), 400)) AS item
    FROM pg_catalog.pg_constraint WHERE conrelid = $1::oid AND contype <> 'n'
    ORDER BY contype <> 'p', contype <> 'f', conname LIMIT 1000`,
  referenced_by: `SELECT json_build_object('table', conrelid::regclass::text, 'definition', left(pg_get_constraintdef(oid), 400)) AS item
    FROM pg_catalog.pg_constraint WHERE confrelid = $1::oid AND contype = 'f' ORDER BY 1::text LIMIT 1000`,
  triggers: `SELECT json_strip_nulls(json_build_object('name', tgname, 'definition', left(pg_get_triggerdef(oid), 400),
      'enabled', CASE WHEN tgenabled = 'D' THEN false END)) AS item
    FROM pg_catalog.pg_trigger WHERE tgrelid = $1::oid AND NOT tgisinternal ORDER BY tgname LIMIT 1000`,
  policies: `SELECT json_strip_nulls(json_build_object('name', polname,
      'using', left(pg_get_expr(polqual, polrelid), 300), 'check', left(pg_get_expr(polwithcheck, polrelid), 300))) AS item
    FROM pg_catalog.pg_policy WHERE polrelid = $1::oid ORDER BY polname LIMIT 1000`,
  partitions: `SELECT json_build_object('name', c.oid::regclass::text, 'bounds', pg_get_expr(c.relpartbound, c.oid)) AS item
    FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = $1::oid ORDER BY c.relname LIMIT 5000`,
};

export interface About {
  readonly rows?: number;
  readonly size: string;
  readonly comment?: string;
  readonly row_security?: true;
  /** The query of a view. */
  readonly definition?: string;
}

export async function aboutRelation(run: Run, { oid }: Relation): Promise<About> {
  const { rows } = await run<{ item: About }>(
    `SELECT json_strip_nulls(json_build_object(
       'rows', CASE WHEN c.relkind IN ('r', 'm', 'p') AND c.reltuples >= 0 THEN c.reltuples::bigint END,
       'size', pg_size_pretty(pg_total_relation_size(c.oid)),
       'row_security', CASE WHEN c.relrowsecurity THEN true END,
       'comment', left(obj_description(c.oid, 'pg_class'), 500),
       'definition', CASE WHEN c.relkind IN ('v', 'm') THEN left(pg_get_viewdef(c.oid, true), 1500) END)) AS item
     FROM pg_catalog.pg_class c WHERE c.oid = $1::oid`,
    [oid],
  );
  return rows[0]?.item ?? { size: '0 bytes' };
}

export type Item = Readonly<Record<string, unknown>>;

export async function partOf(run: Run, { oid }: Relation, part: Part): Promise<Item[]> {
  const { rows } = await run<{ item: Item }>(SQL[part], [oid]);
  return rows.map(({ item }) => item);
}
