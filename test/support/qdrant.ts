/**
 * A Qdrant of the test's own, or the one at TEST_QDRANT_URL (with TEST_QDRANT_API_KEY). The own one is written from the OpenAPI
 * description of Qdrant 1.19 (docs/redoc/master/openapi.json in its repository), and from its sources for what that does not
 * say: status codes, texts of errors, the order of ids, what an alias reaches. It has the part of the API that the module uses,
 * and of filters only match, range and has_id. It is stricter than a real one: paths, methods, query parameters and fields
 * outside of that part are refused, while Qdrant ignores fields that it does not know.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import { serveHttp } from './prometheus.ts';

export const REAL_QDRANT = process.env.TEST_QDRANT_URL;
export const REAL_QDRANT_KEY = process.env.TEST_QDRANT_API_KEY;

/** The API has no such path, or not with this method. */
class Unknown extends Error {}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Qdrant writes UUIDs in lower case. */
const pointId = z.union([z.guid().toLowerCase(), z.int().min(0)]);
const payload = z.record(z.string(), z.unknown());
const params = z.strictObject({ size: z.int().min(1), distance: z.enum(['Cosine', 'Dot', 'Euclid', 'Manhattan']) });
const condition: z.ZodType<Condition> = z.union([
  z.strictObject({ key: z.string(), match: z.strictObject({ value: z.union([z.string(), z.int(), z.boolean()]) }) }),
  z.strictObject({ key: z.string(), range: z.strictObject({ gte: z.number().optional(), lt: z.number().optional() }) }),
  z.strictObject({ has_id: z.array(pointId).refine((ids) => new Set(ids).size === ids.length, 'must be unique') }),
]);
interface Condition {
  key?: string | undefined;
  match?: { value: unknown } | undefined;
  range?: { gte?: number | undefined; lt?: number | undefined } | undefined;
  has_id?: (string | number)[] | undefined;
}
const conditions = z.union([z.array(condition), condition.transform((one) => [one])]).optional();
const filter = z.strictObject({ must: conditions, should: conditions, must_not: conditions });
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
  unset: z.strictObject({ keys: z.array(z.string()), filter }),
  index: z.strictObject({
    field_name: z.string(),
    field_schema: z.enum(['keyword', 'integer', 'float', 'geo', 'text', 'bool', 'datetime', 'uuid']),
  }),
  aliases: z.strictObject({
    actions: z.array(
      z.strictObject({ create_alias: z.strictObject({ collection_name: z.string(), alias_name: z.string() }) }),
    ),
  }),
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
    .sort((a, b) => order(a.id, b.id));
}

/** Numbers come before UUIDs. */
function order(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const shown = (point: Stored, given: { with_payload: boolean; with_vector: boolean }) => ({
  id: point.id,
  payload: given.with_payload ? point.payload : null,
  ...(given.with_vector && { vector: point.vectors.get('') ?? Object.fromEntries(point.vectors) }),
});

type Distance = z.output<typeof params>['distance'];

/** What is near has a large score, except with distances proper. */
const isDistance = (distance: Distance): boolean => distance === 'Euclid' || distance === 'Manhattan';

/** Vectors are compared by their angle only if they have the same length: Qdrant keeps them so. */
const kept = (vector: readonly number[], distance: Distance): number[] => {
  const length = distance === 'Cosine' ? Math.hypot(...vector) || 1 : 1;
  return vector.map((one) => one / length);
};

function scoreOf(a: readonly number[], b: readonly number[], distance: Distance): number {
  const apart = a.map((one, n) => one - (b[n] ?? 0));
  if (distance === 'Euclid') return Math.hypot(...apart);
  if (distance === 'Manhattan') return apart.reduce((sum, one) => sum + Math.abs(one), 0);
  return a.reduce((sum, one, n) => sum + one * (b[n] ?? 0), 0);
}

/** Indexes whose values can be counted. */
const COUNTED = new Set(['keyword', 'integer', 'bool', 'uuid']);
/** Requests that take `wait`. */
const WAITING = /^(?:PUT \/(?:points|index)|POST \/(?:points\/(?:delete|payload|payload\/delete)|snapshots))$/;

const VERSION = '1.19.0';
const UPDATED = { operation_id: 0, status: 'completed' };

function answer(collection: Collection, route: string, body: unknown): unknown {
  const checked = (name: string, given: readonly number[]) => {
    const { size, distance } = collection.sizes.get(name) ?? {};
    if (size === undefined || distance === undefined)
      throw new Refused(400, `Wrong input: Not existing vector name error: ${name}`);
    if (size !== given.length)
      throw new Refused(400, `Wrong input: Vector dimension error: expected dim: ${size}, got ${given.length}`);
    return kept(given, distance);
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
          hnsw_config: {
            m: 16,
            ef_construct: 100,
            full_scan_threshold: 10_000,
            max_indexing_threads: 0,
            on_disk: false,
          },
          optimizer_config: {
            deleted_threshold: 0.2,
            vacuum_min_vector_number: 1000,
            default_segment_number: 0,
            flush_interval_sec: 5,
          },
          wal_config: { wal_capacity_mb: 32, wal_segments_ahead: 0 },
          quantization_config: null,
          ...(collection.metadata && { metadata: collection.metadata }),
        },
        payload_schema: Object.fromEntries(
          [...collection.indexes].map(([key, type]) => [key, { data_type: type, points: collection.points.size }]),
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
      const distance = collection.sizes.get(using)?.distance ?? 'Cosine';
      const sign = isDistance(distance) ? -1 : 1;
      const scored = found(collection, given.filter)
        .filter((point) => point !== like)
        .map((point) => ({
          ...shown(point, given),
          version: 1,
          score: scoreOf(wanted, point.vectors.get(using) ?? [], distance),
        }));
      return {
        points: scored
          .filter(({ score }) => given.score_threshold === undefined || sign * (score - given.score_threshold) >= 0)
          .sort((a, b) => sign * (b.score - a.score))
          .slice(0, given.limit),
      };
    }
    case 'POST /points/scroll': {
      const given = bodies.scroll.parse(body);
      const { offset } = given;
      // The point at the offset may be gone.
      const all = found(collection, given.filter).filter(({ id }) => offset === undefined || order(id, offset) >= 0);
      return {
        points: all.slice(0, given.limit).map((point) => shown(point, given)),
        next_page_offset: all[given.limit]?.id ?? null,
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
      if (!COUNTED.has(collection.indexes.get(key) ?? ''))
        throw new Refused(
          400,
          `Wrong input: No appropriate index for faceting: \`${key}\`. Please create one to facet on this field.`,
        );
      const counts = new Map<unknown, number>();
      for (const point of found(collection, asked))
        for (const value of new Set([point.payload[key]].flat()))
          if (value != null) counts.set(value, (counts.get(value) ?? 0) + 1);
      const hits = [...counts].map(([value, count]) => ({ value, count }));
      return { hits: hits.sort((a, b) => b.count - a.count).slice(0, limit) };
    }
    case 'POST /points/delete':
      for (const { id } of found(collection, bodies.remove.parse(body).filter)) collection.points.delete(String(id));
      return UPDATED;
    case 'POST /points/payload': {
      const given = bodies.payload.parse(body);
      for (const point of found(collection, given.filter)) Object.assign(point.payload, given.payload);
      return UPDATED;
    }
    case 'POST /points/payload/delete': {
      const given = bodies.unset.parse(body);
      for (const point of found(collection, given.filter)) for (const key of given.keys) delete point.payload[key];
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
        checksum: null,
      };
      collection.snapshots.push(made);
      return made;
    }
    default:
      throw new Unknown();
  }
}

interface Options {
  readonly apiKey?: string;
  /** Answers instead of the API, if it returns true. */
  fault?(request: IncomingMessage, response: ServerResponse): boolean;
}

export async function fakeQdrant({ apiKey, fault }: Options = {}, port = 0) {
  const collections = new Map<string, Collection>();
  /** Which collections they mean. */
  const aliases = new Map<string, string>();

  function handle(method: string, path: string, query: URLSearchParams, body: unknown): unknown {
    const route = `${method} ${path}`;
    const [, encoded = '', rest = ''] = /^\/collections\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const known = route === 'GET /telemetry' ? ['details_level'] : WAITING.test(`${method} ${rest}`) ? ['wait'] : [];
    const strange = [...query.keys()].find((key) => !known.includes(key));
    if (strange !== undefined) throw new Refused(400, `Deserialize error in query parameters: unknown ${strange}`);
    switch (route) {
      case 'GET /collections':
        return { collections: [...collections.keys()].map((name) => ({ name })) };
      case 'GET /aliases':
        return { aliases: [...aliases].map(([alias_name, collection_name]) => ({ alias_name, collection_name })) };
      case 'POST /collections/aliases':
        for (const { create_alias: made } of bodies.aliases.parse(body).actions) {
          need(made.collection_name);
          aliases.set(made.alias_name, made.collection_name);
        }
        return true;
      case 'GET /cluster':
        return { status: 'disabled' };
      case 'GET /telemetry':
        return telemetry(Number(query.get('details_level') ?? 0), collections.size);
    }
    const name = decodeURIComponent(encoded);
    if (name === '') throw new Unknown();
    if (method === 'PUT' && rest === '') {
      if (collections.has(name)) throw new Refused(409, `Wrong input: Collection \`${name}\` already exists!`);
      if (aliases.has(name))
        throw new Refused(
          400,
          `Wrong input: Can't create collection with name ${name}. Alias with the same name already exists`,
        );
      collections.set(name, collectionOf(bodies.create.parse(body)));
      return true;
    }
    if (method === 'DELETE' && rest === '') {
      for (const [alias, meant] of aliases) if (meant === name) aliases.delete(alias);
      return collections.delete(name);
    }
    return answer(need(aliases.get(name) ?? name), `${method} ${rest}`, body);
  }

  function need(name: string): Collection {
    const collection = collections.get(name);
    if (!collection) throw new Refused(404, `Not found: Collection \`${name}\` doesn't exist!`);
    return collection;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (fault?.(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const sent = await textOf(request);
    const reply = (status: number, content: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    if (pathname === '/') return reply(200, { title: 'qdrant - vector search engine', version: VERSION, commit: 'x' });
    if (apiKey !== undefined && request.headers['api-key'] !== apiKey)
      return void response.writeHead(401).end('Invalid API key or JWT');
    try {
      if (sent !== '' && request.headers['content-type'] !== 'application/json')
        throw new Refused(400, 'Content type error');
      const body: unknown = sent === '' ? undefined : JSON.parse(sent);
      const result = handle(request.method ?? '', pathname, searchParams, body);
      reply(200, { result, status: 'ok', time: 0 });
    } catch (error) {
      if (error instanceof Unknown) return void response.writeHead(404).end();
      const message = error instanceof Refused ? error.message : `Format error in JSON body: ${String(error)}`;
      reply(error instanceof Refused ? error.status : 400, { status: { error: message }, time: 0 });
    }
  }

  const server = await serveHttp((request, response) => void serve(request, response), port);
  return { ...server, collections };
}

/** Of the machine it says something only when asked for details. */
const telemetry = (level: number, collections: number) => ({
  id: '00000000-0000-4000-8000-000000000000',
  app: {
    name: 'qdrant',
    version: VERSION,
    startup: '2026-01-01T00:00:00Z',
    ...(level > 0 && { system: { is_docker: true, cores: 4, ram_size: 1_048_576, cpu_flags: 'avx2' } }),
  },
  collections: { number_of_collections: collections, ...(level > 0 && { collections: [], snapshots: [] }) },
});
