import type { Collection } from 'mongodb';
import type { Limits } from './connection.ts';

/** What a collection takes, summed over its shards. */
export interface Storage {
  readonly documents: number;
  readonly bytes: number;
  readonly storage_bytes: number;
  readonly indexes: number;
  readonly index_bytes: number;
  readonly index_sizes: ReadonlyMap<string, number>;
  readonly is_capped: boolean;
}

/** Numbers that are too large for JavaScript have a type of their own. */
interface Answer {
  readonly storageStats?: {
    readonly count?: unknown;
    readonly size?: unknown;
    readonly storageSize?: unknown;
    readonly nindexes?: unknown;
    readonly totalIndexSize?: unknown;
    readonly indexSizes?: Readonly<Record<string, unknown>>;
    readonly capped?: boolean;
  };
}

export async function storageOf(collection: Collection, limits: Limits): Promise<Storage> {
  const answers = await collection.aggregate<Answer>([{ $collStats: { storageStats: {} } }], limits).toArray();
  const stats = answers.map(({ storageStats = {} }) => storageStats);
  const sum = (of: (one: NonNullable<Answer['storageStats']>) => unknown) =>
    stats.reduce((total, one) => total + Number(of(one) ?? 0), 0);
  const sizes = new Map<string, number>();
  for (const { indexSizes = {} } of stats)
    for (const [name, size] of Object.entries(indexSizes)) sizes.set(name, (sizes.get(name) ?? 0) + Number(size));
  return {
    documents: sum(({ count }) => count),
    bytes: sum(({ size }) => size),
    storage_bytes: sum(({ storageSize }) => storageSize),
    indexes: Math.max(0, ...stats.map(({ nindexes }) => Number(nindexes ?? 0))),
    index_bytes: sum(({ totalIndexSize }) => totalIndexSize),
    index_sizes: sizes,
    is_capped: stats.some(({ capped }) => capped === true),
  };
}
