import { ageText, counted, sizeText } from './amounts.ts';
import { type Judgement, judged } from './judgement.ts';
import { quotedIn } from './quoted.ts';
import type { Scene } from './scene.ts';

export interface UnusedIndex {
  readonly schema: string;
  readonly name: string;
  readonly table: string;
  readonly bytes: number;
  /** Writes to its table, each of which had to keep the index up to date. */
  readonly writes: number;
}

const TRUSTED_AFTER = 7 * 86_400;

/** `age` is how long uses have been counted, in seconds. */
export function judgeUnused(indexes: readonly UnusedIndex[], age: number): Judgement {
  const sorted = indexes.toSorted((a, b) => b.bytes - a.bytes);
  const total = sorted.reduce((sum, { bytes }) => sum + bytes, 0);
  const caution =
    age < TRUSTED_AFTER
      ? ` Uses are counted for ${ageText(age)} only: wait a week before you drop anything.`
      : ' Standbys count their own uses: look there, too.';
  return judged(
    sorted.map(({ schema, name, table, bytes, writes }) => ({
      severity: 'warning',
      what: `${quotedIn(schema, name)} on ${table} (${sizeText(bytes)}) was never used in ${ageText(age)}, and ${counted(writes, 'write')} had to maintain it.`,
      fix: `DROP INDEX CONCURRENTLY ${quotedIn(schema, name)};`,
    })),
    {
      bad: `${counted(sorted.length, 'index', 'indexes')} of ${sizeText(total)} in all slow writes down and help no query.${caution}`,
      ok: `Every index of 1 MB or more was used in the last ${ageText(age)}.`,
    },
  );
}

// Unique indexes and those of constraints and of partitioned indexes do more than speed queries up.
const SQL = `SELECT s.schemaname AS schema, s.indexrelname AS name, s.relname AS table,
    (c.relpages * current_setting('block_size')::float8) AS bytes, (t.n_tup_ins + t.n_tup_upd)::float8 AS writes
  FROM pg_stat_user_indexes s
  JOIN pg_index i ON i.indexrelid = s.indexrelid
  JOIN pg_class c ON c.oid = s.indexrelid
  JOIN pg_stat_user_tables t ON t.relid = s.relid
  WHERE s.schemaname = ANY($1) AND s.idx_scan = 0 AND i.indisvalid AND NOT i.indisunique AND NOT i.indisreplident
    AND NOT c.relispartition AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = s.indexrelid)
    AND c.relpages * current_setting('block_size')::float8 >= 1048576
  ORDER BY bytes DESC LIMIT 500`;

export async function lookAtUnused({ run, schemas, server }: Scene): Promise<Judgement> {
  const { rows } = await run<UnusedIndex>(SQL, [schemas]);
  return judgeUnused(rows, server.statisticsAge);
}
