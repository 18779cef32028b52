/** A memory without a gateway: the service over a store, with a model that costs nothing. */
import { createHash } from 'node:crypto';
import type { TextModel } from '../../src/embedder/text-model.ts';
import { localOwner } from '../../src/kernel/principal.ts';
import type { CallContext } from '../../src/kernel/source.ts';
import { createEmbeddings, type Embeddings } from '../../src/memory/embedding.ts';
import { memoryMigrations } from '../../src/memory/migrations.ts';
import { createNamespaces } from '../../src/memory/namespaces/namespaces.ts';
import { createRecalls } from '../../src/memory/recalls.ts';
import { createMemoryService } from '../../src/memory/service.ts';
import { sqlEngine } from '../../src/memory/sql/engine.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';

/** Vectors that depend on the text and on the name of the model only: whoever finds one can tell whose it is. */
export const hashModel = (name: string): TextModel => ({
  identify: async () => ({ name, version: '1', dimensions: 64 }),
  embed: async (texts) =>
    texts.map((text) =>
      Float32Array.from(createHash('sha512').update(`${name}\n${text}`).digest(), (byte) => byte - 127.5),
    ),
});

export const ownContext: CallContext = {
  principal: localOwner,
  signal: new AbortController().signal,
  trace: { traceId: '0'.repeat(32), spanId: '0'.repeat(16), sampled: false },
  client: { era: 'modern', version: '2026-07-28', capabilities: {} },
  notify() {},
  ask: () => Promise.reject(new Error('There is nobody to ask.')),
};

/** The service over a SQLite file. */
export async function openOwnMemory(file: string, model: TextModel) {
  const opened = await memoryOver(await openSqlite(file, { migrations: memoryTables }), model);
  opened.embeddings.wake();
  return opened;
}

export const memoryTables = new Map([['memory', memoryMigrations]]);

export type MemoryOver = Awaited<ReturnType<typeof memoryOver>>;

/** The service over this store, which it closes. */
export async function memoryOver(store: Store, model: TextModel) {
  await using stack = new AsyncDisposableStack();
  stack.use(store);
  const stop = new AbortController();
  const engine = sqlEngine(store.apart);
  const events = { record() {} } as never;
  const namespaces = createNamespaces({
    tables: store.apart,
    projects: () => ({}),
    isOwner: () => true,
    now: Date.now,
    told() {},
  });
  const embeddings = stack.use(
    createEmbeddings({ model, engine, shared: store.shared, events, stopping: stop.signal }),
  );
  const recalls = stack.use(createRecalls(engine, Date.now));
  const serviceWith = (given: Embeddings) =>
    createMemoryService({
      engine,
      namespaces,
      embeddings: given,
      recalls,
      events,
      refuseSecrets() {},
      quota: { within: async (_principal, _bytes, work) => work() },
      halfLife: () => 90,
      now: Date.now,
    });
  await namespaces.forWriting(undefined, localOwner);
  const owned = stack.move();
  return {
    memory: serviceWith(embeddings),
    /** With other vectors than those of the model. */
    serviceWith,
    engine,
    store,
    embeddings,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await owned.disposeAsync();
    },
  };
}
