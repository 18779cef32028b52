import { AppError } from '../../kernel/errors.ts';
import { late } from '../../kernel/late.ts';
import type { MemoryEngine } from '../engine.ts';
import { adding } from './adding.ts';
import { changing } from './changing.ts';
import { createCollections, type Model } from './collections.ts';
import { connect, DEFAULT_TIMEOUT_MS, Gone, type QdrantSettings } from './connection.ts';
import { contentsOf } from './contents.ts';
import { FIRST, stored } from './filters.ts';
import { moving } from './moving.ts';
import { reading } from './reading.ts';
import { requestsOf } from './requests.ts';
import { createStaging } from './staging.ts';
import { superseding } from './superseding.ts';

const PREFIX = 'sluice-memory';
const MOST_NAMESPACES = 100_000;

/** What tests make smaller. */
export interface Tuning {
  readonly retryAfterMs?: readonly number[];
  readonly requestBytes?: number;
}

/**
 * Memories in a Qdrant. It need not be there yet: whatever is called first checks its version and creates the collection
 * of the model, and tries that again if it failed.
 */
export async function openQdrant(
  settings: QdrantSettings,
  model: Model,
  { retryAfterMs, ...limits }: Tuning = {},
): Promise<MemoryEngine> {
  const { collection: prefix = PREFIX, timeout = DEFAULT_TIMEOUT_MS } = settings;
  if (!/^[\w-]{1,60}$/.test(prefix))
    throw new AppError(
      'invalid_input',
      'memory.qdrant.collection is what the names of the collections begin with: at most 60 letters, digits, _ or -.',
    );
  const connection = await connect(settings, retryAfterMs);
  const collections = createCollections(connection, prefix, model);
  const requests = requestsOf(connection);
  const staging = createStaging(requests, collections, { timeout, ...limits });
  const engine = {
    add: adding(requests, collections, staging),
    supersede: superseding(requests, collections, staging),
    ...reading(requests, collections, staging),
    ...changing(requests, collections, staging),
    ...moving(requests, collections, staging),
    contents: contentsOf(requests, collections),
    async namespaces() {
      const names = new Set<string>();
      for (const collection of await collections.all())
        for (const { value } of await requests.values<string>(collection, 'namespace', stored(FIRST), MOST_NAMESPACES))
          names.add(value);
      return [...names];
    },
  };

  /** The first call completes what a killed process left. If that fails, so does the call: it would fail the same way. */
  const ready = late(() => staging.sweep());

  /** Somebody may delete a collection in Qdrant. It is created again. */
  const kept =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      try {
        await ready();
        return await call(...given);
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
        collections.forget();
        return call(...given);
      }
    };

  return {
    name: `Qdrant at ${connection.place}`,
    add: kept(engine.add),
    supersede: kept(engine.supersede),
    get: kept(engine.get),
    ages: kept(engine.ages),
    byWords: kept(engine.byWords),
    byMeaning: kept(engine.byMeaning),
    page: kept(engine.page),
    versions: kept(engine.versions),
    pin: kept(engine.pin),
    recalled: kept(engine.recalled),
    erase: kept(engine.erase),
    roots: kept(engine.roots),
    eraseExpired: kept(engine.eraseExpired),
    drop: kept(engine.drop),
    namespaces: kept(engine.namespaces),
    contents: kept(engine.contents),
    toEmbed: kept(engine.toEmbed),
    countToEmbed: kept(engine.countToEmbed),
    embedded: kept(engine.embedded),
    async [Symbol.asyncDispose]() {
      connection.close();
    },
  };
}
