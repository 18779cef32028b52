import { type Late, late } from '../../kernel/late.ts';
import type { TablesApart, TableValue } from '../../store/store.ts';
import type { Hit, Vector, Wanted } from '../engine.ts';
import { cosine } from '../vector.ts';
import type { Dialect } from './dialect.ts';
import { indexedNear } from './pgvector.ts';
import { unsigned } from './rows.ts';
import { type Condition, isSelective } from './wanted.ts';

/** Up to so many passages are compared exactly, which takes SQLite about six milliseconds. */
const EXACT = 5000;
/** From so many on, PostgreSQL looks into an index of pgvector, if it has one, instead of reading all bits. */
const INDEXED = 20_000;
/** Of more, those whose bits differ least are compared exactly. */
const CANDIDATES = 600;

const COLUMNS = 'm.id, p.at AS passage, coalesce(p.text, m.text) AS text';
const PASSAGES = 'JOIN memory_passages p ON p.number = v.passage JOIN memories m ON m.number = p.memory';
const BYTES = 'JOIN memory_bytes b ON b.passage = v.passage';

interface Search {
  readonly vector: Vector;
  readonly wanted: Wanted;
  readonly condition: Condition;
  readonly spaces: readonly number[];
  readonly limit: number;
}

/** A subquery for some passages, and its values. */
interface Near {
  readonly sql: string;
  readonly values: readonly TableValue[];
}

/** Finds the passages nearest in meaning. */
export function nearestIn(tables: TablesApart, dialect: Dialect): (search: Search) => Promise<Hit[]> {
  const compare = tables.dialect === 'sqlite' ? inSqlite(tables) : inPostgres(tables);
  const distance =
    tables.dialect === 'sqlite'
      ? 'vec_distance_hamming(vec_bit(v.bits), vec_bit(?))'
      : // Bits of the same model have the same length.
        `bit_count(v.bits # ${dialect.bits})`;

  /** Those whose bits differ least. With `filtered`, only of wanted memories, which takes longer. */
  function nearBits({ vector: { model, bits }, condition: { sql, values }, spaces }: Search, filtered: boolean): Near {
    const { here, where } = inSpaces(spaces);
    const all = filtered
      ? `SELECT v.passage FROM memory_vectors v ${PASSAGES} WHERE v.model = ? AND v.space ${here} AND ${sql}`
      : `SELECT v.passage FROM memory_vectors v WHERE v.model = ? AND v.space ${here}`;
    return {
      sql: `(${all} ORDER BY ${distance} LIMIT ${CANDIDATES})`,
      values: [model, where, ...(filtered ? values : []), dialect.bitValue(bits)],
    };
  }

  /** One is compared faster than it is looked up in a list. */
  const inSpaces = (spaces: readonly number[]) =>
    spaces.length === 1
      ? { here: '= ?', where: spaces[0] as number }
      : { here: dialect.isNumber, where: JSON.stringify(spaces) };

  /** How many passages there are, up to `most`. */
  async function count({ vector: { model }, spaces }: Search, most: number): Promise<number> {
    const { here, where } = inSpaces(spaces);
    const [counted] = await tables.rows<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM memory_vectors WHERE model = ? AND space ${here} LIMIT ?) few`,
      model,
      where,
      most,
    );
    return counted?.count ?? 0;
  }

  /** All of them, if they are few. */
  async function everything(search: Search): Promise<Near | undefined> {
    if (tables.dialect !== 'sqlite' || (await count(search, EXACT + 1)) > EXACT) return undefined;
    const { here, where } = inSpaces(search.spaces);
    return {
      sql: `(SELECT passage FROM memory_vectors WHERE model = ? AND space ${here})`,
      values: [search.vector.model, where],
    };
  }

  const indexes = new Map<string, Late<string | undefined>>();
  /** Those that an index of pgvector finds, if there is one and it is worth it. */
  async function indexed(search: Search): Promise<Near | undefined> {
    if (tables.dialect === 'sqlite' || (await count(search, INDEXED)) < INDEXED) return undefined;
    const { model, bytes, bits } = search.vector;
    const known = indexes.get(model) ?? late(() => indexedNear(tables, model, bytes.length, CANDIDATES));
    indexes.set(model, known);
    const name = await known();
    return name === undefined
      ? undefined
      : {
          sql: `(SELECT passage FROM ${name}(?::varbit, ARRAY(SELECT json_array_elements_text(?::json)::bigint)) AS passage)`,
          values: [dialect.bitValue(bits), JSON.stringify(search.spaces)],
        };
  }

  return async (search) => {
    const all = await everything(search);
    if (all) return compare(all, search);
    if (isSelective(search.wanted)) return compare(nearBits(search, true), search);
    const found = await compare((await indexed(search)) ?? nearBits(search, false), search);
    // Versions that have ended may have taken the places of valid ones.
    return found.length < search.limit ? compare(nearBits(search, true), search) : found;
  };
}

type Compare = (near: Near, search: Search) => Promise<Hit[]>;

/** SQLite compares where the bytes are, so that they are not copied to another thread. */
function inSqlite(tables: TablesApart): Compare {
  // It keeps the order of a CROSS JOIN. Otherwise it reads every memory of the space first: three times as long.
  const joins = `${PASSAGES} ${BYTES}`.replaceAll('JOIN', 'CROSS JOIN');
  return ({ sql, values }, { vector, condition, limit }) =>
    tables.rows(
      `SELECT ${COLUMNS}, 1 - vec_distance_cosine(vec_int8(b.bytes), vec_int8(?)) AS score
       FROM ${sql} v ${joins} WHERE ${condition.sql} ORDER BY score DESC, v.passage LIMIT ?`,
      unsigned(vector.bytes),
      ...values,
      ...condition.values,
      limit,
    );
}

function inPostgres(tables: TablesApart): Compare {
  return async ({ sql, values }, { vector, condition, limit }) => {
    const rows = await tables.rows<Omit<Hit, 'score'> & { readonly bytes: Uint8Array }>(
      `SELECT ${COLUMNS}, b.bytes FROM ${sql} v ${PASSAGES} ${BYTES} WHERE ${condition.sql}`,
      ...values,
      ...condition.values,
    );
    return rows
      .map(({ bytes, ...hit }) => ({ ...hit, score: cosine(vector.bytes, signed(bytes)) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  };
}

const signed = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
