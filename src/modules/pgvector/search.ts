import { AppError } from '../../kernel/errors.ts';
import type { Run } from '../postgres/connection.ts';
import { type Collection, rowsOf } from './collection.ts';
import { ways } from './distance.ts';
import { filterSql } from './filter.ts';
import { itemColumns, type ItemRow, readColumns } from './items.ts';
import { type NearIndex, usableIndex, vectorsAsIn } from './near-index.ts';
import { quoted, values } from './sql.ts';
import { written } from './vectors.ts';

export interface Question {
  readonly vector: ArrayLike<number>;
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
  readonly limit: number;
  /** How much of each text to read. */
  readonly chars: number;
  /** An item that is not an answer: the one that others should be like. */
  readonly besides?: string | undefined;
}

export type NearRow = ItemRow & { readonly distance: number };

export interface Found {
  readonly rows: readonly NearRow[];
  /** The index that found them; undefined if every vector was compared. */
  readonly index?: string;
}

const MOST_CANDIDATES = 400;
const PROBES = '10';
/** Names that no column of a table has. */
const DISTANCE = '"sluice: distance"';
const RANK = '"sluice: rank"';

/** The nearest items, the nearest first. */
export async function nearest(run: Run, collection: Collection, question: Question): Promise<Found> {
  const { table, roles, extension, distance } = collection;
  const { limit, vector } = question;
  const near = usableIndex(table, roles, { distance, dimensions: vector.length });
  if (near) {
    const settings = {
      'hnsw.ef_search': String(Math.min(MOST_CANDIDATES, Math.max(40, limit * 2))),
      'ivfflat.probes': PROBES,
      // Without these, an index gives its candidates first and the filter takes most of them away.
      ...(extension.searchesOn && {
        'hnsw.iterative_scan': 'relaxed_order',
        'ivfflat.iterative_scan': 'relaxed_order',
      }),
    };
    const { list, add } = values();
    const set = Object.entries(settings).map(([name, value]) => `set_config(${add(name)}, ${add(value)}, true)`);
    await run(`SELECT ${set.join(', ')}`, list);
    const rows = await ask();
    if (rows.length >= limit) return { rows, index: near.index.name };
    // The index gave up too early, or there are no more: only comparing all of them tells.
    await run(`SELECT set_config('enable_indexscan', 'off', true)`);
  }
  return { rows: await ask() };

  async function ask() {
    const { list, add } = values();
    const by = distanceSql(collection, vector, near, add);
    // An index may give them slightly out of order.
    const { rows } = await run<NearRow>(
      `WITH near AS MATERIALIZED (SELECT ${[readColumns(collection), `${by} AS ${DISTANCE}`].filter(Boolean).join(', ')}
         FROM ${collection.from} WHERE ${conditions(collection, question, add)} ORDER BY ${by} LIMIT ${add(limit)}::int)
       SELECT ${itemColumns(collection, { chars: question.chars })}, ${DISTANCE} AS distance FROM near ORDER BY ${DISTANCE}`,
      list,
    );
    return rows;
  }
}

/** The items whose texts have most of the words, with their distances. */
export async function withWords(
  run: Run,
  collection: Collection,
  question: Question,
  words: string,
): Promise<NearRow[]> {
  const { list, add } = values();
  const by = distanceSql(collection, question.vector, undefined, add);
  const text = wordsSql(collection);
  // Any of the words counts; the rank prefers texts with more of them.
  const asked = `replace(plainto_tsquery('simple', ${add(words)})::text, ' & ', ' | ')::tsquery`;
  const { rows } = await run<NearRow>(
    `WITH worded AS MATERIALIZED (SELECT ${[readColumns(collection), `${by} AS ${DISTANCE}`].join(', ')},
         ts_rank_cd(${text}, ${asked}) AS ${RANK} FROM ${collection.from}
         WHERE ${conditions(collection, question, add)} AND ${text} @@ ${asked}
         ORDER BY ${RANK} DESC, ${DISTANCE} LIMIT ${add(question.limit)}::int)
       SELECT ${itemColumns(collection, { chars: question.chars })}, ${DISTANCE} AS distance FROM worded
       ORDER BY ${RANK} DESC, ${DISTANCE}`,
    list,
  );
  return rows;
}

/** The words of the texts as SQL, as an index has them. */
export const wordsSql = ({ roles, name }: Collection): string => {
  if (roles.text) return `to_tsvector('simple', ${quoted(roles.text.name)})`;
  throw new AppError('invalid_input', `${name} has no column for texts. Name one in columns.text.`);
};

type Add = (value: unknown) => string;

function distanceSql(collection: Collection, vector: ArrayLike<number>, near: NearIndex | undefined, add: Add): string {
  const { extension, roles, distance } = collection;
  const { sql: vectors, type } = vectorsAsIn(near, roles, extension);
  return `${vectors} OPERATOR(${quoted(extension.schema)}.${ways[distance].operator}) ${add(written(vector))}::${extension.named(type)}`;
}

/** Which items are meant at all. */
function conditions(collection: Collection, { vector, filter: given, besides }: Question, add: Add): string {
  const { roles, extension } = collection;
  const column = quoted(roles.vector.name);
  const filter = given && filterSql(given, roles, add);
  return [
    `${column} IS NOT NULL`,
    // Where the column declares no dimensions, rows of others would be an error.
    ...(roles.vector.dimensions === undefined
      ? [`${extension.named('vector_dims')}(${column}) = ${add(vector.length)}::int`]
      : []),
    ...rowsOf(collection, add),
    ...(besides !== undefined && roles.id ? [`${quoted(roles.id.name)} <> ${add(besides)}`] : []),
    ...(filter === undefined ? [] : [filter]),
  ].join(' AND ');
}
