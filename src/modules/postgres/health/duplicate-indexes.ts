import { counted, sizeText } from './amounts.ts';
import { type Judgement, judged } from './judgement.ts';
import { quotedIn } from './quoted.ts';
import type { Scene } from './scene.ts';

export interface IndexShape {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  readonly method: string;
  /** Each with its operator class, collation and order: equal texts are equal keys. */
  readonly keys: readonly string[];
  readonly included: readonly string[];
  /** The WHERE of a partial index. */
  readonly predicate: string | null;
  readonly isUnique: boolean;
  /** A primary key, a constraint or the replica identity is built on it. */
  readonly isNeeded: boolean;
  readonly bytes: number;
}

export interface Redundant {
  readonly index: IndexShape;
  /** Does all that the index does. */
  readonly by: IndexShape;
  readonly isEqual: boolean;
}

const starts = (long: readonly string[], short: readonly string[]): boolean =>
  short.length <= long.length && short.every((key, at) => long[at] === key);

function replaces(by: IndexShape, index: IndexShape): boolean {
  if (by.method !== index.method || by.predicate !== index.predicate) return false;
  const isEqual = by.keys.length === index.keys.length;
  // Only a btree finds rows by its first keys alone.
  if (!starts(by.keys, index.keys) || (!isEqual && by.method !== 'btree')) return false;
  if (index.isUnique && !(by.isUnique && isEqual)) return false;
  return index.included.every((column) => [...by.keys, ...by.included].includes(column));
}

/** Which indexes could go because another one of their table does their work. */
export function redundantOf(indexes: readonly IndexShape[]): Redundant[] {
  const byTable = Map.groupBy(indexes, ({ schema, table }) => `${schema}\0${table}`);
  return [...byTable.values()].flatMap((ofTable) => {
    // The one to keep comes first: needed, unique, wider, then by name.
    const rank = ofTable.toSorted(
      (a, b) =>
        Number(b.isNeeded) - Number(a.isNeeded) ||
        Number(b.isUnique) - Number(a.isUnique) ||
        b.keys.length + b.included.length - (a.keys.length + a.included.length) ||
        (a.name < b.name ? -1 : 1),
    );
    return rank.flatMap((index, at) => {
      if (index.isNeeded) return [];
      const isBefore = (other: IndexShape) => rank.indexOf(other) < at;
      // Of two that replace each other, the first stays.
      const by = rank.find(
        (other) => other !== index && replaces(other, index) && (isBefore(other) || !replaces(index, other)),
      );
      return by ? [{ index, by, isEqual: by.keys.length === index.keys.length }] : [];
    });
  });
}

export function judgeDuplicates(indexes: readonly IndexShape[]): Judgement {
  const redundant = redundantOf(indexes).sort((a, b) => b.index.bytes - a.index.bytes);
  const total = redundant.reduce((sum, { index }) => sum + index.bytes, 0);
  return judged(
    redundant.map(({ index, by, isEqual }) => ({
      severity: 'warning',
      what: `${quotedIn(index.schema, index.name)} on ${index.table} (${sizeText(index.bytes)}) ${isEqual ? `is a duplicate of ${by.name}` : `is redundant: ${by.name} begins with the same columns`}.`,
      fix: `DROP INDEX CONCURRENTLY ${quotedIn(index.schema, index.name)};`,
    })),
    {
      bad: `${counted(redundant.length, 'index', 'indexes')} of ${sizeText(total)} in all repeat what another index does: each write pays for both.`,
      ok: 'No index repeats another one.',
    },
  );
}

const SHAPES = `SELECT n.nspname AS schema, t.relname AS table, c.relname AS name, am.amname AS method,
    ARRAY(SELECT concat_ws(' ', pg_get_indexdef(c.oid, k, false), i.indclass[k - 1], i.indcollation[k - 1],
      i.indoption[k - 1]) FROM generate_series(1, i.indnkeyatts) k ORDER BY k) AS keys,
    ARRAY(SELECT pg_get_indexdef(c.oid, k, false)
      FROM generate_series(i.indnkeyatts + 1, i.indnatts) k ORDER BY k) AS included,
    pg_get_expr(i.indpred, i.indrelid) AS predicate, i.indisunique AS "isUnique",
    i.indisprimary OR i.indisreplident OR c.relispartition
      OR EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid) AS "isNeeded",
    (c.relpages * current_setting('block_size')::float8) AS bytes
  FROM pg_index i
  JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_class t ON t.oid = i.indrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_am am ON am.oid = c.relam
  WHERE n.nspname = ANY($1) AND i.indisvalid AND i.indislive
    AND (SELECT count(*) FROM pg_index other WHERE other.indrelid = i.indrelid) > 1
  ORDER BY t.oid LIMIT 10000`;

export async function lookAtDuplicates({ run, schemas }: Scene): Promise<Judgement> {
  const { rows } = await run<IndexShape>(SHAPES, [schemas]);
  return judgeDuplicates(rows);
}
