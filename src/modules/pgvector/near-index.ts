import type { Roles } from './columns.ts';
import type { Distance } from './distance.ts';
import { distanceOf } from './distance.ts';
import type { Extension } from './extension.ts';
import { quoted } from './sql.ts';
import type { Index, Table } from './tables.ts';

/** An index that finds the nearest vectors of a column. */
export interface NearIndex {
  readonly index: Index;
  /** The type to which the column is cast in it, if the index is on an expression: `vector(512)`. */
  readonly cast?: { readonly type: 'vector' | 'halfvec'; readonly dimensions: number };
}

/** LangChain, and pgvector_create_index for large or undeclared vectors, index `(embedding)::vector(512)`. */
const CAST = /^\(?\(?(.+?)\)?::(?:.+\.)?(vector|halfvec)\((\d+)\)\)?$/;

export function nearIndexes({ indexes }: Table, { vector }: Pick<Roles, 'vector'>): NearIndex[] {
  return indexes.flatMap((index): NearIndex[] => {
    if (index.method !== 'hnsw' && index.method !== 'ivfflat') return [];
    if (index.column === vector.name) return [{ index }];
    const [, column, type, dimensions] = CAST.exec(index.expression ?? '') ?? [];
    if (column !== vector.name && column !== quoted(vector.name)) return [];
    return [{ index, cast: { type: type as 'vector' | 'halfvec', dimensions: Number(dimensions) } }];
  });
}

/** The index that a search by this distance can use. */
export const usableIndex = (
  table: Table,
  roles: Pick<Roles, 'vector'>,
  { distance, dimensions }: { readonly distance: Distance; readonly dimensions: number },
): NearIndex | undefined =>
  nearIndexes(table, roles).find(
    ({ index, cast }) =>
      index.isValid &&
      !index.isPartial &&
      distanceOf(index.operators) === distance &&
      (cast === undefined || cast.dimensions === dimensions),
  );

/** The vectors of the column as SQL, written as the index has them, so that it is used. */
export function vectorsAsIn(
  near: NearIndex | undefined,
  { vector }: Pick<Roles, 'vector'>,
  extension: Extension,
): { readonly sql: string; readonly type: string } {
  const column = quoted(vector.name);
  if (!near?.cast) return { sql: column, type: vector.type };
  const { type, dimensions } = near.cast;
  return { sql: `(${column}::${extension.named(type)}(${dimensions}))`, type };
}
