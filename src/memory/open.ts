import { setTimeout as delay } from 'node:timers/promises';
import type { Embedding } from '../embedder/part.ts';
import type { TextModel } from '../embedder/text-model.ts';
import { type Check, partCheck } from '../host/check.ts';
import type { OpenPart } from '../host/part.ts';
import { yielding } from '../host/yielding.ts';
import { failingSince } from '../kernel/failing-since.ts';
import { byFirstUse } from '../kernel/first-use.ts';
import type { Health } from '../kernel/health.ts';
import { refuseSecrets } from '../kernel/no-secrets.ts';
import { createQuota } from '../kernel/quota.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Embeddings } from './embedding.ts';
import type { MemoryEngine } from './engine.ts';
import { memorySource } from './own-source.ts';
import { namespaceResources } from './resources.ts';
import { memoryRoutes } from './routes/routes.ts';
import type { MemoryHost, MemorySection } from './settings.ts';
import type { OpenMemory } from './tool.ts';

const EXPIRE_MS = 60_000;
/** Nobody calls the tools of a memory that is switched off. */
const unused: MemorySection = { embedder: { kind: 'packaged' }, halfLife: 0, quota: 1, projects: {} };

export interface MemoryApi {
  /** Undefined if memory is switched off. */
  open(): Promise<OpenMemory>;
}

interface Loaded extends OpenMemory, AsyncDisposable {
  readonly settings: string;
  readonly engine: MemoryEngine;
  readonly embeddings: Embeddings;
}

/** Memory. Its code is loaded, and its engine opened, by the first call. */
export function openMemory(host: MemoryHost, { embedder }: { embedder: Embedding }): OpenPart<MemoryApi> {
  const isOff = () => host.settings().memory === false;
  const section = (): MemorySection => host.settings().memory || unused;
  let hearing: Disposable | undefined;
  let expiring: AsyncDisposable | undefined;

  async function load(): Promise<Loaded> {
    const [{ createNamespaces }, { createEmbeddings }, { createRecalls }, { createMemoryService }] = await Promise.all([
      import('./namespaces/namespaces.ts'),
      import('./embedding.ts'),
      import('./recalls.ts'),
      import('./service.ts'),
    ]);
    const settings = section();
    const model = embedder.model(settings.embedder);
    const engine = await openEngine(settings, model);
    const namespaces = createNamespaces({
      tables: host.store.apart,
      projects: () => section().projects,
      isOwner,
      now: Date.now,
      told() {
        void look();
        host.shared.tell('memory');
      },
    });
    // Another Sluice may have filled that Qdrant.
    if (settings.qdrant) await namespaces.adopt(await engine.namespaces());
    const { shared, events, stopping } = host;
    const embeddings = createEmbeddings({ model, engine, shared, events, stopping });
    const recalls = createRecalls(engine, Date.now);
    const memory = createMemoryService({
      engine,
      namespaces,
      embeddings,
      recalls,
      events,
      refuseSecrets: refuseSecrets('Memory', host.holdsRevealed),
      quota: createQuota({
        what: 'memories',
        setting: 'memory.quota',
        remedy: 'Erase some with memory_forget',
        limit: () => section().quota,
        stored: async (principal) => (await engine.stored?.(principal)) ?? 0,
      }),
      halfLife: () => section().halfLife,
      now: Date.now,
    });
    // What waited for a model, or was embedded by another one, is embedded now.
    embeddings.wake();
    return {
      settings: JSON.stringify(settings),
      memory,
      namespaces,
      engine,
      embeddings,
      async [Symbol.asyncDispose]() {
        await embeddings[Symbol.asyncDispose]();
        await recalls[Symbol.asyncDispose]();
        await engine[Symbol.asyncDispose]();
      },
    };
  }

  async function openEngine({ qdrant }: MemorySection, model: TextModel): Promise<MemoryEngine> {
    if (!qdrant) return (await import('./sql/engine.ts')).sqlEngine(host.store.apart);
    const [{ openQdrant }, { modelKey }] = await Promise.all([
      import('./qdrant/open.ts'),
      import('../embedder/text-model.ts'),
    ]);
    const known = await model.identify(host.stopping);
    return openQdrant(qdrant, { key: modelKey(known), dimensions: known.dimensions });
  }

  /** Whether somebody who signed in is the owner: at the authorization server of this Sluice there is nobody else. */
  function isOwner({ attributes }: Principal): boolean {
    const { here, outside } = host.url();
    return (
      attributes?.sub === 'owner' && [here, outside].some((url) => url !== undefined && attributes.iss?.startsWith(url))
    );
  }

  const { open, peek, settled, close } = byFirstUse(load);

  /** Whether memories can be read and changed at all. */
  const { tried, failure } = failingSince();

  const resources = namespaceResources(open);
  const look = () => resources.look().catch(() => {});
  const own = yielding(memorySource({ open }, resources), host.all.claims, isOff);

  function health(): readonly Health[] {
    const lastError = failure();
    if (lastError) return [{ name: 'memory', kind: 'memory', state: 'failing', since: lastError.at, lastError }];
    const trouble = peek()?.embeddings.trouble();
    if (trouble === undefined) return [];
    const message = `Memories are found by words only: ${trouble}`;
    return [
      { name: 'memory', kind: 'memory', state: 'degraded', lastError: { message, at: new Date().toISOString() } },
    ];
  }

  /** Erases what has expired, wherever it is. One process does it for all. */
  async function expire(): Promise<void> {
    // Loads nothing, and keeps no thread alive, if there is nothing to do.
    const [some] = section().qdrant
      ? [true]
      : await host.store.tables.rows('SELECT 1 FROM memories WHERE expires_at <= ? LIMIT 1', Date.now());
    if (some) await (await open()).memory.expire();
  }

  /** Asks the Qdrant; what is in the store is checked with it. */
  async function check(): Promise<readonly Check[]> {
    if (isOff() || !section().qdrant) return health().flatMap((one) => partCheck(one, Date.now()));
    await tried(async () => void (await (await open()).memory.stats()));
    const troubles = health().flatMap((one) => partCheck(one, Date.now()));
    return troubles.length > 0
      ? troubles
      : [{ check: 'memory', result: 'ok', detail: `${peek()?.engine.name} answers` }];
  }

  return {
    api: { open },
    sources: [own.source],
    routes: memoryRoutes({ open, source: own.source }),
    absent: own.absent,
    health,
    check,
    async begin() {
      hearing = host.shared.hear('memory', () => void look());
      expiring = host.shared.lead('memory.expire', async (signal) => {
        while (!signal.aborted) {
          // What cannot be erased now is not found any more, and is erased later.
          if (!isOff()) await tried(expire);
          await delay(EXPIRE_MS, undefined, { signal, ref: false }).catch(() => {});
        }
      });
    },
    async reload() {
      own.reload();
      const loaded = await settled();
      if (loaded && loaded.settings !== JSON.stringify(section())) await close();
    },
    async [Symbol.asyncDispose]() {
      hearing?.[Symbol.dispose]();
      await expiring?.[Symbol.asyncDispose]();
      await close();
    },
  };
}
