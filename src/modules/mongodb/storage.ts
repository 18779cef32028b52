import type { Collection } from 'mongodb';

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

interface Answer {
  readonly storageStats?: {
    readonly count?: number;
    readonly size?: number;
    readonly storageSize?: number;
    readonly nindexes?: number;
    readonly totalIndexSize?: number;
    readonly indexSizes?: Readonly<Record<string, number>>;
    readonly capped?: boolean;
  };
}

export async function storageOf(collection: Collection, signal: AbortSignal): Promise<Storage> {
  const answers = await collection.aggregate<Answer>([{ $collStats: { storageStats: {} } }], { signal }).toArray();
  const stats = answers.map(({ storageStats = {} }) => storageStats);
  const sum = (of: (one: NonNullable<Answer['storageStats']>) => number | undefined) =>
    stats.reduce((total, one) => total + Number(of(one) ?? 0), 0);
  const sizes = new Map<string, number>();
  for (const { indexSizes = {} } of stats)
    for (const [name, size] of Object.entries(indexSizes)) sizes.set(name, (sizes.get(name) ?? 0) + Number(size));
  return {
    documents: sum(({ count }) => count),
    bytes: sum(({ size }) => size),
    storage_bytes: sum(({ storageSize }) => storageSize),
    indexes: Math.max(0, ...stats.map(({ nindexes }) => nindexes ?? 0)),
    index_bytes: sum(({ totalIndexSize }) => totalIndexSize),
    index_sizes: sizes,
    is_capped: stats.some(({ capped }) => capped === true),
  };
}
