import type { TablesApart } from '../../store/store.ts';
import { cosine } from '../vector.ts';
import type { Hit, Vector, Wanted } from '../engine.ts';
import type { Dialect } from './dialect.ts';
import { indexedNear } from './pgvector.ts';
import { unsigned } from './rows.ts';
import { isSelective, type Condition } from './wanted.ts';

/** Up to so many passages are compared exactly, which takes SQLite about six milliseconds. */
const EXACT = 5000;
/** From so many on, PostgreSQL looks into an index of pgvector, if it has one, instead of reading all bits. */
const INDEXED = 20_000;
/** Of more, those whose bits differ least are compared exactly. */
const CANDIDATES = 600;

const PASSAGES = 'JOIN memory_passages p ON p.number = v.passage JOIN memories m ON m.number = p.memory';

type Nearest = (
  vector: Vector,
  wanted: Wanted,
  condition: Condition,
  spaces: readonly number[],
  limit: number,
) => Promise<Hit[]>;

/** Finds the passages nearest in meaning. */
export function nearestIn(tables: TablesApart, dialect: Dialect): Nearest {
  const { numbers, bits, bitValue } = dialect;
  // The + keeps SQLite from using an index: reading everything in order is faster.
  const unindexed = tables.dialect === 'sqlite' ? '+' : '';
  const distance =
    tables.dialect === 'sqlite'
      ? `vec_distance_hamming(vec_bit(v.bits), vec_bit(?))`
      : // Bits of the same model have the same length.
        `bit_count(v.bits # ${bits})`;

  // SQLite keeps the order of a CROSS JOIN. Otherwise it reads every memory of the space first: three times as long.
  const join = tables.dialect === 'sqlite' ? 'CROSS JOIN' : 'JOIN';

  /** With their bytes, to compare exactly. */
  async function candidates(
    { model, bits: asked }: Vector,
    { sql, values }: Condition,
    spaces: readonly number[],
    { filtered, index }: { filtered: boolean; index?: string | undefined },
  ): Promise<Candidate[]> {
    const near =
      index !== undefined
        ? `SELECT passage FROM ${index}(?::varbit, ARRAY${numbers}) AS passage`
        : filtered
          ? `SELECT v.passage FROM memory_vectors v ${PASSAGES} WHERE v.model = ? AND v.space IN ${numbers} AND ${sql}`
          : `SELECT v.passage FROM memory_vectors v WHERE ${unindexed}v.model = ? AND ${unindexed}v.space IN ${numbers}`;
    return tables.rows(
      `SELECT m.id, p.at AS passage, coalesce(p.text, m.text) AS text, b.bytes
       FROM (${index === undefined ? `${near} ORDER BY ${distance} LIMIT ${CANDIDATES}` : near}) v
       ${PASSAGES.replaceAll('JOIN', join)} ${join} memory_bytes b ON b.passage = v.passage WHERE ${sql}`,
      ...(index === undefined
        ? [model, JSON.stringify(spaces), ...(filtered ? values : []), bitValue(asked)]
        : [bitValue(asked), JSON.stringify(spaces)]),
      ...values,
    );
  }

  const indexes = new Map<string, Promise<string | undefined>>();
  /** The index to look into, if it is worth it. */
  async function indexFor({ model, bytes }: Vector, spaces: readonly number[]): Promise<string | undefined> {
    if (tables.dialect === 'sqlite' || (await count(model, spaces, INDEXED)) < INDEXED) return undefined;
    const known = indexes.get(model) ?? indexedNear(tables, model, bytes.length, CANDIDATES);
    indexes.set(model, known);
    return known;
  }

  /** How many passages there are, up to `most`. */
  async function count(model: string, spaces: readonly number[], most: number): Promise<number> {
    const [counted] = await tables.rows<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM memory_vectors WHERE model = ? AND space IN ${numbers} LIMIT ?) few`,
      model,
      JSON.stringify(spaces),
      most,
    );
    return counted?.count ?? 0;
  }

  return async (vector, wanted, condition, spaces, limit) => {
    if (tables.dialect === 'sqlite' && (await count(vector.model, spaces, EXACT + 1)) <= EXACT)
      return tables.rows(
        `SELECT m.id, p.at AS passage, coalesce(p.text, m.text) AS text,
             1 - vec_distance_cosine(vec_int8(b.bytes), vec_int8(?)) AS score
           FROM memory_vectors v ${PASSAGES} JOIN memory_bytes b ON b.passage = v.passage
           WHERE v.model = ? AND v.space IN ${numbers} AND ${condition.sql} ORDER BY score DESC, v.passage LIMIT ?`,
        unsigned(vector.bytes),
        vector.model,
        JSON.stringify(spaces),
        ...condition.values,
        limit,
      );
    const filtered = isSelective(wanted);
    const index = filtered ? undefined : await indexFor(vector, spaces);
    let found = await candidates(vector, condition, spaces, { filtered, index });
    // Versions that have ended may have taken the places of valid ones.
    if (!filtered && found.length < limit) found = await candidates(vector, condition, spaces, { filtered: true });
    return found
      .map(({ bytes, ...hit }) => ({ ...hit, score: cosine(vector.bytes, signed(bytes)) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  };
}

interface Candidate extends Omit<Hit, 'score'> {
  readonly bytes: Uint8Array;
}

const signed = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
