import type { Run } from '../postgres/connection.ts';
import type { Collection } from './collection.ts';
import { rowsOf } from './collection.ts';
import { filterSql } from './filter.ts';
import { values } from './sql.ts';

export interface Count {
  readonly count: number;
  /** Set if there are more, and the number is PostgreSQL's estimate. */
  readonly approximate?: true;
}

/** Counts to `most`; beyond that PostgreSQL's estimate has to do. */
export async function countOf(
  run: Run,
  collection: Collection,
  most: number,
  filter?: Readonly<Record<string, unknown>>,
): Promise<Count> {
  const { list, add } = values();
  const condition = filter && filterSql(filter, collection.roles, add);
  const where = [...rowsOf(collection, add), ...(condition === undefined ? [] : [condition])];
  const { rows } = await run<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT FROM ${collection.from}${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''} LIMIT ${most + 1}) AS counted`,
    list,
  );
  const count = rows[0]?.count ?? 0;
  if (count <= most) return { count };
  const estimate = where.length > 0 ? 0 : Math.round(collection.table.estimate);
  return { count: Math.max(count, estimate), approximate: true };
}
