import { createHash } from 'node:crypto';
import { isLost } from '../../store/postgres/errors.ts';
import type { TablesApart } from '../../store/store.ts';

/** How many candidates the index looks at. pgvector allows at most 1000. */
const LOOKED_AT = 1000;

/**
 * The name of a function of SQL, `name(bits, spaces)`, that gives the `most` passages of a model whose bits differ least. It
 * uses an index of pgvector; both are made if they are not there. Undefined if the database has no pgvector, or this user
 * may make no index: then everything is read.
 */
export async function indexedNear(
  tables: TablesApart,
  model: string,
  dimensions: number,
  most: number,
): Promise<string | undefined> {
  const schema = await schemaOf(tables);
  if (schema === undefined) return undefined;
  const name = `memory_near_${createHash('sha256').update(model).digest('hex').slice(0, 12)}`;
  const [known] = await tables.rows(
    "SELECT 1 FROM pg_proc WHERE proname = ? AND pronamespace = 'sluice'::regnamespace",
    name,
  );
  if (known) return name;
  const of = `'${model.replaceAll("'", "''")}'`;
  const bits = `bit(${dimensions})`;
  try {
    await tables.batch([
      {
        sql: `CREATE INDEX IF NOT EXISTS ${name}_index ON memory_vectors
              USING hnsw ((bits::${bits}) ${schema}.bit_hamming_ops) WHERE model = ${of}`,
        values: [],
      },
      {
        sql: `CREATE OR REPLACE FUNCTION ${name} (asked varbit, spaces bigint[]) RETURNS SETOF bigint
              LANGUAGE sql STABLE SET hnsw.ef_search = ${LOOKED_AT} SET hnsw.iterative_scan = 'relaxed_order'
              SET enable_seqscan = off SET enable_sort = off AS $$
                SELECT passage FROM sluice.memory_vectors WHERE model = ${of} AND space = ANY (spaces)
                ORDER BY (bits::${bits}) OPERATOR(${schema}.<~>) (asked::${bits}) LIMIT ${most}
              $$`,
        values: [],
      },
    ]);
    return name;
  } catch (error) {
    if (isLost(Object(error).cause)) throw error;
    // No right to make it, a pgvector before 0.8, or too many rows for the time of a statement.
    return undefined;
  }
}

/** Where pgvector is, quoted. */
async function schemaOf(tables: TablesApart): Promise<string | undefined> {
  const [row] = await tables.rows<{ schema: string }>(
    `SELECT quote_ident(n.nspname) AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE e.extname = 'vector'`,
  );
  return row?.schema;
}
