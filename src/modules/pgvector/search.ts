import type { Run } from '../postgres/connection.ts';
import { type Collection, rowsOf } from './collection.ts';
import { ways } from './distance.ts';
import { filterSql } from './filter.ts';
import { itemColumns, type ItemRow } from './items.ts';
import { usableIndex, vectorsAsIn } from './near-index.ts';
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

export interface Found {
  readonly rows: readonly (ItemRow & { readonly distance: number })[];
  /** The index that found them; undefined if every vector was compared. */
  readonly index?: string;
}

const MOST_CANDIDATES = 400;
const PROBES = '10';

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
    const { sql: vectors, type } = vectorsAsIn(near, roles, extension);
    const by = `${vectors} OPERATOR(${quoted(extension.schema)}.${ways[distance].operator}) ${add(written(vector))}::${extension.named(type)}`;
    const column = quoted(roles.vector.name);
    const filter = question.filter && filterSql(question.filter, roles, add);
    const where = [
      `${column} IS NOT NULL`,
      // Where the column declares no dimensions, rows of others would be an error.
      ...(roles.vector.dimensions === undefined
        ? [`${extension.named('vector_dims')}(${column}) = ${add(vector.length)}::int`]
        : []),
      ...rowsOf(collection, add),
      ...(question.besides !== undefined && roles.id ? [`${quoted(roles.id.name)} <> ${add(question.besides)}`] : []),
      ...(filter === undefined ? [] : [filter]),
    ];
    // An index may give them slightly out of order.
    const { rows } = await run<ItemRow & { distance: number }>(
      `WITH near AS MATERIALIZED (SELECT ${itemColumns(collection, { chars: question.chars })}, ${by} AS distance
         FROM ${collection.from} WHERE ${where.join(' AND ')} ORDER BY ${by} LIMIT ${add(limit)}::int)
       SELECT * FROM near ORDER BY distance`,
      list,
    );
    return rows;
  }
}
