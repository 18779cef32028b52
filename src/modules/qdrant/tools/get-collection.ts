import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { openCollection } from '../collection.ts';
import { collectionInput, qdrantTool } from '../tool.ts';

const MOST_FIELDS = 40;

export const getCollection = qdrantTool({
  name: 'qdrant_get_collection',
  title: 'Get collection',
  description:
    'One collection: vectors with size and distance, payload fields with an index, status, shards, quantization.',
  phrases:
    'schema of a collection; which payload fields can be filtered; dimensions of the vectors; is the collection indexed; which distance',
  effect: 'read',
  input: z.strictObject({ collection: collectionInput }),
  output: z.object({
    name: z.string(),
    status: z.string(),
    optimizer: z.string().optional(),
    points: z.number(),
    indexed_vectors: z.number(),
    segments: z.number(),
    vectors: z.array(
      z.object({ name: z.string().describe('Empty: without a name'), size: z.number(), distance: z.string() }),
    ),
    sparse_vectors: z.array(z.string()),
    payload_indexes: z.array(z.object({ field: z.string(), type: z.string(), points: z.number() })),
    more_indexes: z.number().optional(),
    embedder: z.string().optional().describe('The model that makes its vectors'),
    shards: z.number().optional(),
    replicas: z.number().optional(),
    quantization: z.string().optional(),
    hnsw: z.string().optional(),
  }),
  async run({ collection: name }, qdrant, { signal }) {
    const { info, vectors, embedder } = await openCollection(qdrant, name, signal);
    const { params, hnsw_config: hnsw, quantization_config: quantization } = info.config;
    const fields = Object.entries(info.payload_schema);
    return {
      name,
      status: shortened(info.status, 30),
      ...(info.optimizer_status !== 'ok' && { optimizer: shortened(JSON.stringify(info.optimizer_status) ?? '', 300) }),
      points: info.points_count ?? 0,
      indexed_vectors: info.indexed_vectors_count ?? 0,
      segments: info.segments_count ?? 0,
      vectors: [...vectors].slice(0, 10).map(([vector, { size, distance }]) => {
        return { name: shortened(vector, 100), size, distance: shortened(distance, 30) };
      }),
      sparse_vectors: Object.keys(params.sparse_vectors ?? {})
        .slice(0, 10)
        .map((one) => shortened(one, 100)),
      payload_indexes: fields.slice(0, MOST_FIELDS).map(([field, { data_type: type, points }]) => {
        return { field: shortened(field, 60), type: shortened(type, 20), points: points ?? 0 };
      }),
      ...(fields.length > MOST_FIELDS && { more_indexes: fields.length - MOST_FIELDS }),
      ...(embedder !== undefined && { embedder: shortened(embedder, 100) }),
      ...(params.shard_number != null && { shards: params.shard_number }),
      ...(params.replication_factor != null && { replicas: params.replication_factor }),
      ...(quantization && { quantization: Object.keys(quantization).slice(0, 3).join(', ').slice(0, 60) }),
      ...(hnsw && { hnsw: `m ${hnsw.m ?? 16}, ef_construct ${hnsw.ef_construct ?? 100}` }),
    };
  },
});
