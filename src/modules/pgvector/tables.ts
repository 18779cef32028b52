import { z } from 'zod';
import type { Run } from '../postgres/connection.ts';
import type { Column } from './columns.ts';
import type { Extension } from './extension.ts';

export interface Index {
  readonly name: string;
  /** `hnsw`, `ivfflat`, `gin`, `btree`, … */
  readonly method: string;
  readonly operators: string;
  /** The column, or undefined if it is an expression. */
  readonly column?: string;
  readonly expression?: string;
  readonly isUnique: boolean;
  /** Only some rows are in it. */
  readonly isPartial: boolean;
  readonly isValid: boolean;
  readonly options: readonly string[];
  readonly bytes: number;
}

/** Where the names of collections that share one table are: LangChain's way. */
export interface Grouping {
  /** The column of the table that names the collection by its key. */
  readonly column: string;
  readonly schema: string;
  readonly table: string;
  readonly key: string;
}

/** A table with vectors, as the catalogue of PostgreSQL has it. */
export interface Table {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly Column[];
  /** Columns that are unique and never empty, the primary key first. */
  readonly keys: readonly string[];
  readonly grouping?: Grouping;
  readonly indexes: readonly Index[];
  /** How many rows PostgreSQL believes it has; negative if it does not know. */
  readonly estimate: number;
}

export interface Wanted {
  readonly schema: string;
  /** One table; else all of the schema. */
  readonly name?: string;
  /** Those after this name. */
  readonly after?: string | undefined;
  readonly limit?: number;
}

const MOST_INDEXES = 50;

export async function tablesOf(run: Run, extension: Extension, wanted: Wanted): Promise<Table[]> {
  const { schema, name, after, limit = 1 } = wanted;
  const { rows } = await run<{ found: unknown }>(SQL, [schema, extension.schema, name ?? null, after ?? null, limit]);
  return rows.map(({ found }) => tableIn(schema, row.parse(found)));
}

const SQL = `
SELECT json_build_object(
  'name', c.relname, 'kind', c.relkind, 'estimate', c.reltuples,
  'columns', (SELECT json_agg(json_build_object(
      'name', a.attname, 'type', t.typname, 'shown', format_type(a.atttypid, a.atttypmod), 'size', a.atttypmod,
      'vector', tn.nspname = $2 AND t.typname IN ('vector', 'halfvec'), 'text', t.typcategory = 'S',
      'filled', a.atthasdef OR a.attidentity <> '', 'required', a.attnotnull,
      'comment', left(col_description(c.oid, a.attnum), 2000)) ORDER BY a.attnum)
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace tn ON tn.oid = t.typnamespace
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
  'keys', (SELECT json_agg(a.attname ORDER BY i.indisprimary DESC, a.attnum)
    FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
    WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL
      AND i.indexprs IS NULL AND a.attnotnull),
  'grouping', (SELECT json_build_object('column', a.attname, 'schema', gn.nspname, 'table', g.relname, 'key', ga.attname)
    FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
      JOIN pg_class g ON g.oid = k.confrelid JOIN pg_namespace gn ON gn.oid = g.relnamespace
      JOIN pg_attribute ga ON ga.attrelid = g.oid AND ga.attnum = k.confkey[1]
    WHERE k.conrelid = c.oid AND k.contype = 'f' AND cardinality(k.conkey) = 1 AND a.attname = 'collection_id'
      AND EXISTS (SELECT FROM pg_attribute x WHERE x.attrelid = g.oid AND x.attname = 'name' AND NOT x.attisdropped)
    LIMIT 1),
  'indexes', (SELECT json_agg(one) FROM (SELECT json_build_object(
      'name', ic.relname, 'method', am.amname, 'operators', o.opcname, 'column', a.attname,
      'expression', pg_get_expr(i.indexprs, i.indrelid), 'unique', i.indisunique, 'partial', i.indpred IS NOT NULL,
      'valid', i.indisvalid, 'options', ic.reloptions, 'bytes', pg_relation_size(ic.oid)) AS one
    FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid JOIN pg_am am ON am.oid = ic.relam
      JOIN pg_opclass o ON o.oid = i.indclass[0]
      LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] AND a.attnum > 0
    WHERE i.indrelid = c.oid ORDER BY ic.relname LIMIT ${MOST_INDEXES}) AS shown)
) AS found
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND ($3::text IS NULL OR c.relname = $3) AND ($4::text IS NULL OR c.relname > $4::text COLLATE "C")
  AND has_table_privilege(c.oid, 'SELECT')
  AND EXISTS (SELECT FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    JOIN pg_namespace tn ON tn.oid = t.typnamespace
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND tn.nspname = $2
      AND t.typname IN ('vector', 'halfvec'))
ORDER BY c.relname COLLATE "C" LIMIT $5`;

const row = z.object({
  name: z.string(),
  kind: z.string(),
  estimate: z.number(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      shown: z.string(),
      size: z.number(),
      vector: z.boolean(),
      text: z.boolean(),
      filled: z.boolean(),
      required: z.boolean(),
      comment: z.string().nullable(),
    }),
  ),
  keys: z.array(z.string()).nullable(),
  grouping: z.object({ column: z.string(), schema: z.string(), table: z.string(), key: z.string() }).nullable(),
  indexes: z
    .array(
      z.object({
        name: z.string(),
        method: z.string(),
        operators: z.string(),
        column: z.string().nullable(),
        expression: z.string().nullable(),
        unique: z.boolean(),
        partial: z.boolean(),
        valid: z.boolean(),
        options: z.array(z.string()).nullable(),
        bytes: z.number(),
      }),
    )
    .nullable(),
});

function tableIn(
  schema: string,
  { name, kind, estimate, columns, keys, grouping, indexes }: z.output<typeof row>,
): Table {
  return {
    schema,
    name,
    kind: kind === 'r' || kind === 'p' ? 'table' : 'view',
    estimate,
    columns: columns.map(({ size, vector, text, filled, required, ...column }) => ({
      ...column,
      isVector: vector,
      isText: text,
      hasDefault: filled,
      isRequired: required,
      ...(vector && size > 0 && { dimensions: size }),
    })),
    keys: keys ?? [],
    ...(grouping && { grouping }),
    indexes: (indexes ?? []).map(({ column, expression, unique, partial, valid, options, ...index }) => ({
      ...index,
      ...(column !== null && { column }),
      ...(expression !== null && { expression }),
      isUnique: unique,
      isPartial: partial,
      isValid: valid,
      options: options ?? [],
    })),
  };
}
