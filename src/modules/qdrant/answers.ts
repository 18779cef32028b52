/** What Qdrant answers: only what the tools use. */
import { z } from 'zod';

export const pointId = z.union([z.string(), z.number()]);
export type PointId = z.output<typeof pointId>;

/** An id as Qdrant takes it: a large number is a text here (see exact-json.ts), and all digits are a number there. */
export const sentId = (id: PointId): PointId | bigint => (typeof id === 'string' && /^\d+$/.test(id) ? BigInt(id) : id);

const distance = z.string();
const dense = z.looseObject({ size: z.number(), distance });
const payloadOf = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((given) => given ?? {});

export const collectionsAnswer = z.object({ collections: z.array(z.object({ name: z.string() })) });
export const aliasesAnswer = z.object({
  aliases: z.array(z.object({ alias_name: z.string(), collection_name: z.string() })),
});

export const collectionAnswer = z.object({
  status: z.string(),
  optimizer_status: z.unknown(),
  points_count: z.number().nullish(),
  indexed_vectors_count: z.number().nullish(),
  segments_count: z.number().nullish(),
  config: z.object({
    params: z.looseObject({
      /** One without a name, or several by name. */
      vectors: z.union([dense, z.record(z.string(), dense)]).nullish(),
      sparse_vectors: z.record(z.string(), z.unknown()).nullish(),
      shard_number: z.number().nullish(),
      replication_factor: z.number().nullish(),
      on_disk_payload: z.boolean().nullish(),
    }),
    hnsw_config: z.looseObject({ m: z.number().nullish(), ef_construct: z.number().nullish() }).nullish(),
    quantization_config: z.record(z.string(), z.unknown()).nullish(),
    metadata: payloadOf,
  }),
  payload_schema: z
    .record(z.string(), z.looseObject({ data_type: z.string(), points: z.number().nullish() }))
    .nullish()
    .transform((given) => given ?? {}),
});
export type CollectionInfo = z.output<typeof collectionAnswer>;

const point = z.object({
  id: pointId,
  payload: payloadOf,
  vector: z.unknown().optional(),
  score: z.number().nullish(),
});
export type Point = z.output<typeof point>;

export const pointsAnswer = z.array(point);
export const queryAnswer = z.object({ points: pointsAnswer });
export const scrollAnswer = z.object({ points: pointsAnswer, next_page_offset: pointId.nullish() });
export const countAnswer = z.object({ count: z.number() });
export const facetAnswer = z.object({
  hits: z.array(z.object({ value: z.union([z.string(), z.number(), z.boolean()]), count: z.number() })),
});
export const updateAnswer = z.object({ status: z.string() });
export const doneAnswer = z.boolean();

export const snapshotAnswer = z.object({
  name: z.string(),
  creation_time: z.string().nullish(),
  size: z.number().nullish(),
});
export const snapshotsAnswer = z.array(snapshotAnswer);

export const clusterAnswer = z.looseObject({
  status: z.string(),
  peers: z.record(z.string(), z.unknown()).nullish(),
  raft_info: z
    .looseObject({
      role: z.string().nullish(),
      pending_operations: z.number().nullish(),
      is_voter: z.boolean().nullish(),
    })
    .nullish(),
});

export const telemetryAnswer = z.looseObject({
  app: z
    .looseObject({
      startup: z.string().nullish(),
      system: z
        .looseObject({ cores: z.number().nullish(), ram_size: z.number().nullish(), disk_size: z.number().nullish() })
        .nullish(),
    })
    .nullish(),
});
