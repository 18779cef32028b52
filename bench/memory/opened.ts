import { mkdir } from 'node:fs/promises';
import type { TextModel } from '../../src/embedder/text-model.ts';
import { localOwner } from '../../src/kernel/principal.ts';
import type { CallContext } from '../../src/kernel/source.ts';
import { createEmbeddings, type Embeddings } from '../../src/memory/embedding.ts';
import type { MemoryEngine } from '../../src/memory/engine.ts';
import { memoryMigrations } from '../../src/memory/migrations.ts';
import { createNamespaces } from '../../src/memory/namespaces/namespaces.ts';
import { createRecalls } from '../../src/memory/recalls.ts';
import { createMemoryService, type MemoryService } from '../../src/memory/service.ts';
import { sqlEngine } from '../../src/memory/sql/engine.ts';
import { openStore } from '../../src/store/open.ts';
import type { StoreSettings } from '../../src/store/settings.ts';
import type { Store } from '../../src/store/store.ts';

export const context: CallContext = {
  principal: localOwner,
  signal: new AbortController().signal,
  trace: { traceId: '0'.repeat(32), spanId: '0'.repeat(16), sampled: false },
  client: { era: 'modern', version: '2026-07-28', capabilities: {} },
  notify() {},
  ask: () => Promise.reject(new Error('There is nobody to ask.')),
};

export interface OpenedMemory extends AsyncDisposable {
  readonly store: Store;
  readonly engine: MemoryEngine;
  readonly embeddings: Embeddings;
  /** With the model, and with vectors that are there already. */
  readonly memory: MemoryService;
  serviceWith(embeddings: Embeddings): MemoryService;
}

/** The memory of a gateway, without the gateway. */
export async function openMemoryAt(home: string, settings: StoreSettings, model: TextModel): Promise<OpenedMemory> {
  await using stack = new AsyncDisposableStack();
  await mkdir(home, { recursive: true, mode: 0o700 });
  const migrations = new Map([['memory', memoryMigrations]]);
  const store = stack.use(await openStore({ home, version: 'bench', settings, env: {} }, { migrations }));
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
      halfLife: () => 90,
      now: Date.now,
    });
  await namespaces.forWriting(undefined, localOwner);
  const owned = stack.move();
  return {
    store,
    engine,
    embeddings,
    memory: serviceWith(embeddings),
    serviceWith,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await owned.disposeAsync();
    },
  };
}
