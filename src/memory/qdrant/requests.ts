import type { Schemas } from '@qdrant/js-client-rest';
import type { Collection } from './collections.ts';
import type { Connection } from './connection.ts';
import type { Filter } from './filters.ts';
import type { NewPoint, PointVectors } from './points.ts';
import type { Sparse } from './sparse.ts';

/** A point as it is read. */
export interface Point<P = Record<string, unknown>> {
  readonly id: string;
  readonly payload: P;
  readonly vector: PointVectors;
}

export interface Scored<P> {
  readonly score: number;
  readonly payload: P;
}

interface Counted<V> {
  readonly value: V;
  readonly count: number;
}

interface Scroll {
  readonly limit: number;
  readonly fields?: readonly string[];
  /** The first id that may be returned. */
  readonly from?: string;
  readonly newestFirst?: true;
  readonly oldestFirst?: true;
}

/**
 * The requests that the engine makes. Those that write return once it is applied. If Qdrant keeps copies on several nodes,
 * one of them orders what is written, and what decides something is read from most of them.
 */
const WRITE = { wait: true, ordering: 'strong' } as const;

export type Requests = ReturnType<typeof requestsOf>;

export function requestsOf({ send }: Connection) {
  const at = ({ name }: Collection) => ({ collection_name: name });
  const written = async (request: Parameters<typeof send<unknown>>[0]): Promise<void> => {
    await send(request);
  };

  return {
    /** Inserts the points whose ids are not there yet, and leaves the others as they are. */
    insert: (collection: Collection, points: readonly NewPoint[]) =>
      written((api) =>
        api.upsertPoints({
          ...at(collection),
          ...WRITE,
          points: points.map(({ id, vector, payload }) => ({ id, vector: vector as Schemas['VectorStruct'], payload })),
          update_mode: 'insert_only',
        }),
      ),

    /** Qdrant finds the points and changes them in one step: no other write comes in between. */
    set: (collection: Collection, filter: Filter, payload: Record<string, unknown>) =>
      written((api) => api.setPayload({ ...at(collection), ...WRITE, payload, filter })),

    unset: (collection: Collection, filter: Filter, keys: readonly string[]) =>
      written((api) => api.deletePayload({ ...at(collection), ...WRITE, keys: [...keys], filter })),

    remove: (collection: Collection, filter: Filter) =>
      written((api) => api.deletePoints({ ...at(collection), ...WRITE, filter })),

    /** Fails if one of the points is not there. */
    setMeaning: (collection: Collection, points: readonly { id: string; meaning: number[] }[]) =>
      written((api) =>
        api.updateVectors({
          ...at(collection),
          ...WRITE,
          points: points.map(({ id, meaning }) => ({ id, vector: { meaning } })),
        }),
      ),

    /** In the order of their ids, unless the newest are wanted first. */
    async scroll<P>(collection: Collection, filter: Filter, { limit, fields, from, newestFirst, oldestFirst }: Scroll) {
      if (limit <= 0) return [];
      const { points } = await send((api) =>
        api.scrollPoints({
          ...at(collection),
          consistency: 'majority',
          filter,
          limit,
          with_payload: fields ? { include: [...fields] } : true,
          with_vector: false,
          ...(from !== undefined && { offset: from }),
          ...((newestFirst ?? oldestFirst) && {
            order_by: { key: 'recorded_ms', direction: newestFirst ? 'desc' : 'asc' },
          }),
        }),
      );
      return points as unknown as Point<P>[];
    },

    async retrieve<P>(
      collection: Collection,
      ids: readonly string[],
      { fields, words = false }: { fields?: readonly string[]; words?: boolean } = {},
    ) {
      if (ids.length === 0) return [];
      const points = await send((api) =>
        api.getPoints({
          ...at(collection),
          consistency: 'majority',
          ids: [...ids],
          with_payload: fields ? { include: [...fields] } : true,
          with_vector: words ? ['words'] : false,
        }),
      );
      return points as unknown as Point<P>[];
    },

    async nearest<P>(
      collection: Collection,
      query: readonly number[] | Sparse,
      filter: Filter,
      limit: number,
      fields: readonly string[],
    ) {
      const isSparse = 'indices' in query;
      const { points } = await send((api) =>
        api.queryPoints({
          ...at(collection),
          query: isSparse ? query : [...query],
          using: isSparse ? 'words' : 'meaning',
          filter,
          limit,
          with_payload: { include: [...fields] },
          ...(!isSparse && { params: { quantization: { rescore: true, oversampling: 2 } } }),
        }),
      );
      return points as unknown as Scored<P>[];
    },

    async count(collection: Collection, filter: Filter): Promise<number> {
      return (await send((api) => api.countPoints({ ...at(collection), filter, exact: true }))).count;
    },

    /** How many points have each value of a field. */
    async values<V extends string | number>(
      collection: Collection,
      key: string,
      filter: Filter,
      limit: number,
    ): Promise<readonly Counted<V>[]> {
      const { hits } = await send((api) => api.facet({ ...at(collection), key, filter, limit, exact: true }));
      return hits as unknown as Counted<V>[];
    },
  };
}
