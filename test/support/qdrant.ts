/**
 * A Qdrant of the test's own, or the one at TEST_QDRANT_URL (with TEST_QDRANT_API_KEY). The own one is written from Qdrant's
 * OpenAPI description: it keeps points, filters and compares them, answers with its error bodies, and refuses paths, methods
 * and fields that the API does not have.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import { serveHttp } from './prometheus.ts';

export const REAL_QDRANT = process.env.TEST_QDRANT_URL;
export const REAL_QDRANT_KEY = process.env.TEST_QDRANT_API_KEY;

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const pointId = z.union([z.guid(), z.int().min(0)]);
const payload = z.record(z.string(), z.unknown());
const params = z.strictObject({ size: z.int().min(1), distance: z.enum(['Cosine', 'Dot', 'Euclid', 'Manhattan']) });
const condition: z.ZodType<Condition> = z.union([
  z.strictObject({ key: z.string(), match: z.strictObject({ value: z.union([z.string(), z.int(), z.boolean()]) }) }),
  z.strictObject({ key: z.string(), range: z.strictObject({ gte: z.number().optional(), lt: z.number().optional() }) }),
  z.strictObject({ has_id: z.array(pointId) }),
]);
interface Condition {
  key?: string | undefined;
  match?: { value: unknown } | undefined;
  range?: { gte?: number | undefined; lt?: number | undefined } | undefined;
  has_id?: (string | number)[] | undefined;
}
const filter = z.strictObject({
  must: z.array(condition).optional(),
  should: z.array(condition).optional(),
  must_not: z.array(condition).optional(),
});
const flags = { with_payload: z.boolean(), with_vector: z.boolean() };
const vector = z.union([z.array(z.number()), z.record(z.string(), z.array(z.number()))]);
const bodies = {
  create: z.strictObject({ vectors: z.union([params, z.record(z.string(), params)]), metadata: payload.optional() }),
  upsert: z.strictObject({ points: z.array(z.strictObject({ id: pointId, vector, payload })) }),
  query: z.strictObject({
    query: z.union([pointId, z.array(z.number())]),
    using: z.string().optional(),
    filter: filter.optional(),
    score_threshold: z.number().optional(),
    limit: z.int().min(1),
    ...flags,
  }),
  scroll: z.strictObject({ filter: filter.optional(), limit: z.int().min(1), offset: pointId.optional(), ...flags }),
  retrieve: z.strictObject({ ids: z.array(pointId), ...flags }),
  count: z.strictObject({ filter: filter.optional(), exact: z.boolean() }),
  facet: z.strictObject({ key: z.string(), limit: z.int().min(1), filter: filter.optional() }),
  remove: z.strictObject({ filter }),
  payload: z.strictObject({ payload, filter }),
  index: z.strictObject({ field_name: z.string(), field_schema: z.string() }),
};

interface Stored {
  id: string | number;
  payload: Record<string, unknown>;
  vectors: Map<string, number[]>;
}

function collectionOf({ vectors, metadata }: z.output<typeof bodies.create>) {
  const sizes = new Map(
    'size' in vectors && typeof vectors.size === 'number'
      ? [['', vectors as z.output<typeof params>]]
      : Object.entries(vectors as Record<string, z.output<typeof params>>),
  );
  return {
    vectors,
    sizes,
    metadata,
    points: new Map<string, Stored>(),
    indexes: new Map<string, string>(),
    snapshots: [] as object[],
  };
}
type Collection = ReturnType<typeof collectionOf>;

const fits = (point: Stored, one: Condition): boolean => {
  if (one.has_id) return one.has_id.includes(point.id);
  const value = point.payload[one.key ?? ''];
  const all: unknown[] = Array.isArray(value) ? value : [value];
  if (one.match) return all.includes(one.match.value);
  const { gte = -Infinity, lt = Infinity } = one.range ?? {};
  return all.some((n) => typeof n === 'number' && n >= gte && n < lt);
};

function found({ points }: Collection, { must = [], should = [], must_not: not = [] }: z.output<typeof filter> = {}) {
  return [...points.values()]
    .filter(
      (point) =>
        must.every((one) => fits(point, one)) &&
        (should.length === 0 || should.some((one) => fits(point, one))) &&
        !not.some((one) => fits(point, one)),
    )
    .sort((a, b) =>
      typeof a.id === 'number' && typeof b.id === 'number' ? a.id - b.id : String(a.id) < String(b.id) ? -1 : 1,
    );
}

const shown = (point: Stored, given: { with_payload: boolean; with_vector: boolean }) => ({
  id: point.id,
  payload: given.with_payload ? point.payload : null,
  ...(given.with_vector && { vector: point.vectors.get('') ?? Object.fromEntries(point.vectors) }),
});

const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b) || 1);

const UPDATED = { operation_id: 0, status: 'completed' };

function answer(collection: Collection, route: string, body: unknown): unknown {
  const checked = (name: string, given: readonly number[]) => {
    const size = collection.sizes.get(name)?.size;
    if (size === undefined) throw new Refused(400, `Wrong input: Not existing vector name error: ${name}`);
    if (size !== given.length)
      throw new Refused(400, `Wrong input: Vector dimension error: expected dim: ${size}, got ${given.length}`);
    return [...given];
  };
  switch (route) {
    case 'GET ':
      return {
        status: 'green',
        optimizer_status: 'ok',
        points_count: collection.points.size,
        indexed_vectors_count: 0,
        segments_count: 2,
        config: {
          params: { vectors: collection.vectors, shard_number: 1, replication_factor: 1, on_disk_payload: true },
          hnsw_config: { m: 16, ef_construct: 100 },
          quantization_config: null,
          ...(collection.metadata && { metadata: collection.metadata }),
        },
        payload_schema: Object.fromEntries(
          [...collection.indexes].map(([key, type]) => [key, { data_type: type, points: 1 }]),
        ),
      };
    case 'PUT /points': {
      const made = bodies.upsert.parse(body).points.map(({ id, vector: given, payload: data }): Stored => {
        const named = Array.isArray(given) ? { '': given } : given;
        return {
          id,
          payload: data,
          vectors: new Map(Object.entries(named).map(([name, one]) => [name, checked(name, one)])),
        };
      });
      for (const point of made) collection.points.set(String(point.id), point);
      return UPDATED;
    }
    case 'POST /points/query': {
      const given = bodies.query.parse(body);
      const using = given.using ?? '';
      const like = Array.isArray(given.query) ? undefined : collection.points.get(String(given.query));
      if (!Array.isArray(given.query) && !like)
        throw new Refused(404, `Not found: No point with id ${given.query} found`);
      const wanted = checked(using, Array.isArray(given.query) ? given.query : (like?.vectors.get(using) ?? []));
      const scored = found(collection, given.filter)
        .filter((point) => point !== like)
        .map((point) => ({
          ...shown(point, given),
          version: 1,
          score: cosine(wanted, point.vectors.get(using) ?? []),
        }));
      return {
        points: scored
          .filter(({ score }) => score >= (given.score_threshold ?? -Infinity))
          .sort((a, b) => b.score - a.score)
          .slice(0, given.limit),
      };
    }
    case 'POST /points/scroll': {
      const given = bodies.scroll.parse(body);
      const all = found(collection, given.filter);
      const from = given.offset === undefined ? 0 : all.findIndex(({ id }) => id === given.offset);
      return {
        points: all.slice(from, from + given.limit).map((point) => shown(point, given)),
        next_page_offset: all[from + given.limit]?.id ?? null,
      };
    }
    case 'POST /points': {
      const given = bodies.retrieve.parse(body);
      return given.ids.flatMap((id) => collection.points.get(String(id)) ?? []).map((point) => shown(point, given));
    }
    case 'POST /points/count':
      return { count: found(collection, bodies.count.parse(body).filter).length };
    case 'POST /facet': {
      const { key, filter: asked, limit } = bodies.facet.parse(body);
      if (!collection.indexes.has(key))
        throw new Refused(400, `Wrong input: Index required but not found for "${key}"`);
      const groups = Map.groupBy(found(collection, asked), (point) => point.payload[key]);
      return { hits: [...groups].map(([value, { length: count }]) => ({ value, count })).slice(0, limit) };
    }
    case 'POST /points/delete':
      for (const { id } of found(collection, bodies.remove.parse(body).filter)) collection.points.delete(String(id));
      return UPDATED;
    case 'POST /points/payload': {
      const given = bodies.payload.parse(body);
      for (const point of found(collection, given.filter)) Object.assign(point.payload, given.payload);
      return UPDATED;
    }
    case 'PUT /index': {
      const { field_name: field, field_schema: type } = bodies.index.parse(body);
      collection.indexes.set(field, type);
      return UPDATED;
    }
    case 'GET /snapshots':
      return collection.snapshots;
    case 'POST /snapshots': {
      const made = {
        name: `s-${collection.snapshots.length}.snapshot`,
        creation_time: '2026-01-02T03:04:05',
        size: 1000,
      };
      collection.snapshots.push(made);
      return made;
    }
    default:
      throw new Refused(404, '');
  }
}

interface Options {
  readonly apiKey?: string;
  /** Answers instead of the API, if it returns true. */
  fault?(request: IncomingMessage, response: ServerResponse): boolean;
}

export async function fakeQdrant({ apiKey, fault }: Options = {}, port = 0) {
  const collections = new Map<string, Collection>();

  function handle(method: string, path: string, body: unknown): unknown {
    if (method === 'GET' && path === '/collections')
      return { collections: [...collections.keys()].map((name) => ({ name })) };
    if (method === 'GET' && path === '/cluster') return { status: 'disabled' };
    if (method === 'GET' && path === '/telemetry')
      return { app: { startup: '2026-01-01T00:00:00Z', system: { cores: 4, ram_size: 1_048_576 } } };
    const [, encoded = '', rest = ''] = /^\/collections\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const name = decodeURIComponent(encoded);
    if (method === 'PUT' && rest === '') {
      if (collections.has(name)) throw new Refused(409, `Wrong input: Collection \`${name}\` already exists!`);
      collections.set(name, collectionOf(bodies.create.parse(body)));
      return true;
    }
    const collection = collections.get(name);
    if (!collection) throw new Refused(404, `Not found: Collection \`${name}\` doesn't exist!`);
    if (method === 'DELETE' && rest === '') return collections.delete(name);
    return answer(collection, `${method} ${rest}`, body);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (fault?.(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const sent = await textOf(request);
    const body: unknown = sent === '' ? undefined : JSON.parse(sent);
    const reply = (status: number, content: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    if (pathname === '/') return reply(200, { title: 'qdrant - vector search engine', version: '1.17.0', commit: 'x' });
    if (apiKey !== undefined && request.headers['api-key'] !== apiKey)
      return void response.writeHead(401).end('Invalid API key or JWT');
    try {
      z.strictObject({ wait: z.literal('true').optional() }).parse(Object.fromEntries(searchParams));
      reply(200, { result: handle(request.method ?? '', pathname, body), status: 'ok', time: 0 });
    } catch (error) {
      const message = error instanceof Refused ? error.message : `Format error in JSON body: ${String(error)}`;
      reply(error instanceof Refused ? error.status : 400, { status: { error: message }, time: 0 });
    }
  }

  const server = await serveHttp((request, response) => void serve(request, response), port);
  return { ...server, collections };
}
