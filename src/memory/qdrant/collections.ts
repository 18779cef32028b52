import type { Schemas } from '@qdrant/js-client-rest';
import { AppError } from '../../kernel/errors.ts';
import { own } from '../../kernel/own.ts';
import { type Connection, Gone } from './connection.ts';
import { isRefusal } from './failure.ts';

/** Holds the memories whose passages have vectors of one model, or none. */
export interface Collection {
  readonly name: string;
  readonly model: string;
  readonly dimensions: number;
}

export interface Model {
  /** Names the model, its version and its dimensions: `use-lite@0.2.0/512`. */
  readonly key: string;
  readonly dimensions: number;
}

/** The collections of all models. */
export interface Collections {
  /** The one for new passages. */
  current(): Promise<Collection>;
  /**
   * Those of other models first, the current one last. Everything that reads or changes memories goes through them in
   * this order, because memories move in this direction (see moving.ts): who looks for one that moves finds it in one
   * place or in both, and a change reaches the copy if it did not reach the original in time.
   */
  all(): Promise<readonly Collection[]>;
  of(model: string): Promise<Collection | undefined>;
  /** Creates it if necessary. */
  ensured(model: Model): Promise<Collection>;
  /** Asks Qdrant again next time. */
  forget(): void;
}

/** Increased when points look different. */
const VERSION = 1;
/** `update_mode: insert_only` came with 1.17. Older ones ignore it without a word, and overwrite. */
const OLDEST = [1, 17] as const;
/** Another replica may have begun with another model. */
const FRESH_MS = 10_000;

const keyword = { type: 'keyword' } as const;
const time = { type: 'integer', lookup: false, range: true } as const;
const count = { type: 'integer', lookup: true, range: false } as const;
const flag = { type: 'bool' } as const;

/** Everything that is filtered, sorted or counted by. Qdrant Cloud can be told to refuse filters without an index. */
const INDEXES = new Map<string, Schemas['PayloadFieldSchema']>([
  ['namespace', { ...keyword, is_tenant: true }],
  ['id', keyword],
  ['root', keyword],
  ['origin', keyword],
  ['tags', keyword],
  ['labels', keyword],
  ['superseded_by', keyword],
  ['recorded_ms', time],
  ['valid_from_ms', time],
  ['valid_to_ms', time],
  ['expires_ms', time],
  ['pinned', flag],
  ['passage', count],
  ['bytes', count],
  ['recalls', count],
  ['staged', flag],
  ['staged_ms', time],
  ['batch', keyword],
]);

/** `sluice-memory` and `use-lite@0.2.0/512` make `sluice-memory-use-lite-0.2.0-512`. */
const collectionName = (prefix: string, model: string): string =>
  `${prefix}-${model.replace(/[^A-Za-z0-9._]+/g, '-')}`.slice(0, 200);

export function createCollections(connection: Connection, prefix: string, model: Model): Collections {
  const { place, send } = connection;
  let known: { readonly at: number; readonly list: Promise<readonly Collection[]> } | undefined;

  /** What it is, and what it lacks; undefined if it is not there, or not ours. */
  async function look(name: string) {
    const found = await send((api) => api.getCollection({ collection_name: name })).catch((error: unknown) => {
      if (error instanceof Gone) return undefined;
      throw error;
    });
    if (!found) return undefined;
    const { config, payload_schema: indexes } = found;
    const ours = own(config.metadata ?? {}, 'sluice') as { model?: unknown; version?: unknown } | undefined;
    if (typeof ours?.model !== 'string') return { ours: false as const };
    const dimensions = own((config.params.vectors ?? {}) as Record<string, { size?: number }>, 'meaning')?.size ?? 0;
    return {
      ours: true as const,
      collection: { name, model: ours.model, dimensions },
      version: ours.version,
      shards: config.params.shard_number,
      lacks: [...INDEXES].filter(([field]) => !Object.hasOwn(indexes, field)),
    };
  }

  async function list(): Promise<readonly Collection[]> {
    const { collections } = await send((api) => api.getCollections({}));
    const names = collections.map(({ name }) => name).filter((name) => name.startsWith(`${prefix}-`));
    const looked = await Promise.all(names.map(look));
    return looked.flatMap((found) => (found?.ours ? [found.collection] : []));
  }

  function listed(): Promise<readonly Collection[]> {
    if (known && Date.now() - known.at < FRESH_MS) return known.list;
    const fresh = list();
    known = { at: Date.now(), list: fresh };
    fresh.catch(() => (known = undefined));
    return fresh;
  }

  async function create(name: string, { key, dimensions }: Model): Promise<void> {
    const request = {
      collection_name: name,
      vectors: { meaning: { size: dimensions, distance: 'Cosine' } },
      sparse_vectors: { words: { modifier: 'idf' } },
      quantization_config: { scalar: { type: 'int8', always_ram: true } },
      // Within one shard a request is applied and logged as a whole: that is what makes a write all or none.
      shard_number: 1,
      metadata: { sluice: { model: key, dimensions, version: VERSION } },
    } as const;
    await send(async (api) => {
      try {
        return await api.createCollection(request);
      } catch (error) {
        // Another replica was faster, or our first attempt arrived although its answer did not.
        if (isRefusal(error) && (error.status === 409 || /already exists/.test(JSON.stringify(error.data))))
          return { data: { result: true } };
        throw error;
      }
    });
  }

  async function ensure(asked: Model): Promise<Collection> {
    const name = collectionName(prefix, asked.key);
    let found = await look(name);
    if (!found) {
      await create(name, asked);
      found = await look(name);
    }
    const use = 'Write another name as memory.qdrant.collection.';
    if (!found?.ours)
      throw new AppError('conflict', `The collection ${name} in Qdrant at ${place} is not one of Sluice. ${use}`);
    const { collection, version, shards, lacks } = found;
    if (version !== VERSION)
      throw new AppError('conflict', `The collection ${name} in Qdrant at ${place} was made by another Sluice. ${use}`);
    if (collection.model !== asked.key || collection.dimensions !== asked.dimensions) {
      const has = `holds vectors of ${collection.model} with ${collection.dimensions} dimensions`;
      const needs = `not of ${asked.key} with ${asked.dimensions}`;
      throw new AppError('conflict', `The collection ${name} in Qdrant at ${place} ${has}, ${needs}. ${use}`);
    }
    if (shards !== undefined && shards !== 1)
      throw new AppError(
        'conflict',
        `The collection ${name} in Qdrant at ${place} has ${shards} shards, not 1. ${use}`,
      );
    await Promise.all(
      lacks.map(([field_name, field_schema]) =>
        send((api) => api.createFieldIndex({ collection_name: name, wait: true, field_name, field_schema })),
      ),
    );
    return collection;
  }

  const ensuring = new Map<string, Promise<Collection>>();

  /** Once for each model, unless it failed. */
  function ensured(asked: Model): Promise<Collection> {
    const running = ensuring.get(asked.key);
    if (running) return running;
    const begun = checkVersion().then(() => ensure(asked));
    ensuring.set(asked.key, begun);
    begun.then(
      () => (known = undefined),
      () => ensuring.delete(asked.key),
    );
    return begun;
  }

  let checked: Promise<void> | undefined;

  function checkVersion(): Promise<void> {
    checked ??= check().catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
    return checked;
  }

  async function check(): Promise<void> {
    const version = await connection.version();
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const [oldestMajor, oldestMinor] = OLDEST;
    if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
    const needs = `Memory needs ${OLDEST.join('.')} or newer`;
    if (version === '')
      throw new AppError('unavailable', `${place} does not answer like Qdrant. Check memory.qdrant.url.`);
    throw new AppError('unsupported', `Qdrant at ${place} has version ${version}. ${needs}: update it.`);
  }

  const current = () => ensured(model);

  return {
    current,
    async all() {
      const last = await current();
      return [...(await listed()).filter(({ name }) => name !== last.name), last];
    },
    async of(key) {
      await current();
      return (await listed()).find((collection) => collection.model === key);
    },
    async ensured(asked) {
      await current();
      return ensured(asked);
    },
    forget() {
      known = undefined;
      ensuring.clear();
      checked = undefined;
    },
  };
}
