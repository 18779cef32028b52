import { counted } from './amounts.ts';
import { type Finding, type Judgement, judged } from './judgement.ts';
import { quoted, quotedIn } from './quoted.ts';
import type { Scene } from './scene.ts';

export interface SequenceUse {
  readonly schema: string;
  readonly name: string;
  /** Null if it was never used, or this user may not read it. */
  readonly last: number | null;
  readonly start: number;
  /** The end of the sequence in its direction. */
  readonly end: number;
  readonly isReadable: boolean;
  /** The column that it fills. */
  readonly table: string | null;
  readonly column: string | null;
  readonly columnType: string | null;
}

const COLUMN_ENDS = new Map([
  ['smallint', 32_767],
  ['integer', 2_147_483_647],
]);

/** A sequence of bigint ends earlier if its column is smaller. */
const endOf = ({ end, columnType }: SequenceUse): number =>
  Math.sign(end) * Math.min(Math.abs(end), COLUMN_ENDS.get(columnType ?? '') ?? Number.POSITIVE_INFINITY);

export function judgeSequences(sequences: readonly SequenceUse[]): Judgement {
  const findings = sequences.flatMap((it): Finding[] => {
    const end = endOf(it);
    const used = it.last === null ? 0 : Math.floor(((it.last - it.start) / (end - it.start)) * 100);
    if (used < 75) return [];
    const name = quotedIn(it.schema, it.name);
    const of =
      it.table !== null && it.column !== null
        ? { table: quotedIn(it.schema, it.table), column: quoted(it.column) }
        : undefined;
    return [
      {
        severity: used >= 90 ? 'critical' : 'warning',
        what: `Sequence ${name} has used ${used} % of its values (${it.last} of ${end}). At the end every INSERT fails.`,
        fix:
          of && (it.columnType === 'integer' || it.columnType === 'smallint')
            ? `ALTER TABLE ${of.table} ALTER COLUMN ${of.column} TYPE bigint; ALTER SEQUENCE ${name} AS bigint; (this rewrites and locks the table)`
            : `ALTER SEQUENCE ${name} AS bigint NO MAXVALUE; and check that its columns are bigint.`,
      },
    ];
  });
  const unread = sequences.filter(({ isReadable }) => !isReadable).length;
  const left = unread > 0 ? ` ${counted(unread, 'sequence')} may not be read by this user.` : '';
  return judged(findings, {
    bad: `${counted(findings.length, 'sequence')} near the end.${left}`,
    ok: `No sequence has used 75 % of its values (${sequences.length - unread} looked at).${left}`,
  });
}

const SQL = `SELECT s.schemaname AS schema, s.sequencename AS name, s.last_value::float8 AS last,
    s.start_value::float8 AS start,
    (CASE WHEN s.increment_by < 0 THEN s.min_value ELSE s.max_value END)::float8 AS end,
    has_sequence_privilege(c.oid, 'SELECT, USAGE') AS "isReadable",
    t.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS "columnType"
  FROM pg_sequences s
  JOIN pg_namespace n ON n.nspname = s.schemaname
  JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = s.sequencename AND c.relkind = 'S'
  LEFT JOIN pg_depend d ON d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
    AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
  LEFT JOIN pg_class t ON t.oid = d.refobjid
  LEFT JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
  WHERE s.schemaname = ANY($1) AND NOT s.cycle LIMIT 5000`;

export async function lookAtSequences({ run, schemas }: Scene): Promise<Judgement> {
  const { rows } = await run<SequenceUse>(SQL, [schemas]);
  return judgeSequences(rows);
}
