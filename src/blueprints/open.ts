import { setTimeout as delay } from 'node:timers/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Auth } from '../auth/part.ts';
import type { GatewayApi } from '../gateway/open.ts';
import type { OpenPart } from '../host/part.ts';
import { yielding } from '../host/yielding.ts';
import { AppError, messageOf } from '../kernel/errors.ts';
import type { Health } from '../kernel/health.ts';
import type { ModulesApi } from '../modules/open.ts';
import type { StoreApi } from '../store/part.ts';
import type { Library } from './library/library.ts';
import type { VaultFolder } from './library/vault-texts.ts';
import { blueprintSource } from './own-source.ts';
import { isRepeatable } from './recipes/observed.ts';
import { recipeSource } from './recipes/own-source.ts';
import { createRecentCalls } from './recipes/recent.ts';
import { createProgress } from './progress.ts';
import { blueprintRoutes } from './routes/routes.ts';
import type { Runtime } from './runtime.ts';
import type { BlueprintHost, BlueprintSection } from './settings.ts';

const SWEEP_MS = 5000;
/** While a run waits for an event. */
const LOOK_MS = 1000;
const PRUNE_MS = 3_600_000;
const LOST_MS = 60_000;
/** How often the calls of keys that were revoked are looked for. */
const FORGET_MS = 30_000;

export interface BlueprintsApi {
  open(): Promise<Runtime>;
}

interface Used {
  readonly store: StoreApi;
  readonly gateway: GatewayApi;
  readonly auth: Auth;
  readonly modules: ModulesApi;
}

/** Where the blueprints are that come with Sluice: beside the sources, and beside what is built of them. */
const shippedFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'shipped-blueprints');

const unused: BlueprintSection = { folders: [], atOnce: 1, takeover: 20_000, keepDays: 90, progressTtl: 1 };

/** Blueprints. Their code is loaded by the first call, or at the start if there is a run that goes on. */
export function openBlueprints(host: BlueprintHost, used: Used): OpenPart<BlueprintsApi> {
  const isOff = () => host.settings().blueprints === false;
  const section = (): BlueprintSection => host.settings().blueprints || unused;
  let loading: Promise<Runtime> | undefined;
  let loaded: Runtime | undefined;
  let library: Library | undefined;
  let libraryOf = '';
  let failure: { readonly message: string; readonly at: string } | undefined;
  let begun: AbortController | undefined;
  let hearing: Disposable | undefined;
  let leading: AsyncDisposable | undefined;
  let following: Promise<void> | undefined;
  const asleep = new Set<AbortController>();

  async function openLibrary(): Promise<Library> {
    const { createLibrary } = await import('./library/library.ts');
    const { folders, vault: path } = section();
    libraryOf = JSON.stringify([folders, path]);
    const vault = path === undefined ? undefined : await openVault(path);
    const opened = createLibrary({
      // Nobody has to have the default one.
      folders: folders.map((folder) => ({ path: folder, optional: basename(folder) === 'blueprints' })),
      tables: host.store.tables,
      ...(vault && { vault }),
      shipped: shippedFolder,
    });
    return {
      ...opened,
      async [Symbol.asyncDispose]() {
        await opened[Symbol.asyncDispose]();
        await vault?.[Symbol.asyncDispose]();
      },
    };
  }

  async function openVault(path: string): Promise<VaultFolder & AsyncDisposable> {
    const instance = used.modules.instances().find(({ type }) => type === 'vault');
    const missing = new AppError('unavailable', 'blueprints.vault needs modules.vault, which is not configured.');
    if (!instance) return { read: () => Promise.reject(missing), async [Symbol.asyncDispose]() {} };
    return (await import('../modules/vault/texts.ts')).vaultTextsAt(instance, path);
  }

  async function load(): Promise<Runtime> {
    const { openRuntime } = await import('./runtime.ts');
    library = await openLibrary();
    // Another configuration may bring another library.
    const current = (): Library => library as Library;
    return openRuntime({
      host,
      store: used.store,
      gateway: used.gateway,
      auth: used.auth,
      library: {
        all: () => current().all(),
        save: (...given) => current().save(...given),
        delete: (name) => current().delete(name),
        problems: () => current().problems(),
      },
      section,
      published: progress.changed,
    });
  }

  function open(): Promise<Runtime> {
    loading ??= load().then(
      (done) => (loaded = done),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  const progress = createProgress({
    store: used.store,
    modules: used.modules,
    ttlMs: () => section().progressTtl,
    async view(id) {
      const [{ journal, redact }, { viewRun }] = await Promise.all([open(), import('./service/view.ts')]);
      const run = await journal.get(id);
      return run && viewRun(run, await journal.timeline(id), redact);
    },
  });

  const own = yielding(blueprintSource({ open }), host.all.claims, isOff);
  const hasNoRecipes = () => isOff() || !host.settings().recipes;
  const recent = createRecentCalls((tool) => !hasNoRecipes() && isRepeatable(tool));
  const secrets = { holdsRevealed: host.holdsRevealed, redact: host.redact };
  const recipes = yielding(recipeSource({ open, recent, secrets }), host.all.claims, hasNoRecipes);

  async function liveKeys(): Promise<(principal: string) => boolean> {
    const keys = (await host.store.keys.list()).filter(
      ({ revokedAt, grant: { expiresAt } }) =>
        revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > Date.now()),
    );
    const live = new Set(keys.map(({ id }) => `key:${id}`));
    return (principal) => live.has(principal);
  }

  /** Whether there is something to do although nobody asks. Loads nothing. */
  async function isNeeded(): Promise<boolean> {
    const { tables } = host.store;
    const [some] = await tables.rows(
      `SELECT 1 AS one FROM blueprint_runs WHERE state IN ('pending', 'running', 'waiting', 'undoing') LIMIT 1`,
    );
    return some !== undefined || (await tables.rows('SELECT 1 AS one FROM blueprint_schedules LIMIT 1')).length > 0;
  }

  async function tried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      failure = undefined;
    } catch (error) {
      failure ??= { message: messageOf(error), at: new Date().toISOString() };
    }
  }

  /** Each process carries out runs as soon as there are some. */
  async function follow(signal: AbortSignal): Promise<void> {
    let forgotAt = 0;
    while (!signal.aborted) {
      await tried(async () => {
        if (!isOff() && (await isNeeded())) await (await open()).openEngine();
      });
      if (Date.now() - forgotAt >= FORGET_MS) {
        forgotAt = Date.now();
        // If the store does not answer, the next time is soon enough: nobody else can read them.
        await recent.forgetEnded(liveKeys).catch(() => {});
      }
      await pause(SWEEP_MS, signal);
    }
  }

  /** One process looks after what nobody else does. */
  async function sweep(signal: AbortSignal): Promise<void> {
    let prunedAt = 0;
    let soughtAt = 0;
    let isWaiting = false;
    while (!signal.aborted) {
      await tried(async () => {
        if (isOff() || !(await isNeeded())) return;
        const runtime = await open();
        if (!(await runtime.openEngine())) return;
        const { deployDue, prune, startForgotten, startLost, wakeWaiting } = await import('./sweep.ts');
        await startForgotten(runtime);
        if (Date.now() - soughtAt >= LOST_MS) {
          soughtAt = Date.now();
          await startLost(runtime);
        }
        isWaiting = await wakeWaiting(
          runtime,
          async (type, after) => (await host.store.events.follow({ type }, after, 1)).events.length > 0,
        );
        await deployDue(runtime, used.auth.standing);
        if (Date.now() - prunedAt < PRUNE_MS) return;
        prunedAt = Date.now();
        await prune(runtime, section().keepDays);
      });
      await pause(isWaiting ? LOOK_MS : SWEEP_MS, signal);
    }
  }

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    asleep.add(woken);
    await delay(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]), ref: false }).catch(() => {});
    asleep.delete(woken);
  }

  function wakeUp(): void {
    for (const one of asleep) one.abort();
  }

  async function close(): Promise<void> {
    const closing = await loading?.catch(() => undefined);
    loading = undefined;
    loaded = undefined;
    await closing?.[Symbol.asyncDispose]();
    await library?.[Symbol.asyncDispose]();
    library = undefined;
  }

  function health(): readonly Health[] {
    const trouble = failure?.message ?? loaded?.trouble();
    if (trouble !== undefined)
      return [
        {
          name: 'blueprints',
          kind: 'blueprints',
          state: 'failing',
          lastError: { message: trouble, at: failure?.at ?? new Date().toISOString() },
        },
      ];
    const [unread] = library?.problems() ?? [];
    const problem = unread ? `${unread.where}: ${unread.message}` : progress.trouble();
    return problem === undefined
      ? []
      : [
          {
            name: 'blueprints',
            kind: 'blueprints',
            state: 'degraded',
            lastError: { message: problem, at: new Date().toISOString() },
          },
        ];
  }

  return {
    api: { open },
    sources: [own.source, recipes.source],
    observers: [recent.observer],
    absent: () => [...own.absent(), ...recipes.absent()],
    routes: blueprintRoutes({ gateway: used.gateway, open, stopping: host.stopping }),
    health,
    secrets: () => loaded?.secrets() ?? [],
    async begin() {
      begun = new AbortController();
      const { signal } = begun;
      hearing = host.shared.hear('blueprints', () => {
        wakeUp();
        void loaded?.heard().catch(() => {});
      });
      following = follow(signal);
      leading = host.shared.lead('blueprints', sweep);
    },
    async reload() {
      own.reload();
      recipes.reload();
      if (hasNoRecipes()) recent.clear();
      await loading?.catch(() => undefined);
      if (isOff()) return close();
      if (library && libraryOf !== JSON.stringify([section().folders, section().vault])) {
        const before = library;
        library = await openLibrary();
        await before[Symbol.asyncDispose]();
      }
    },
    async [Symbol.asyncDispose]() {
      recent.clear();
      hearing?.[Symbol.dispose]();
      begun?.abort();
      await leading?.[Symbol.asyncDispose]();
      await following;
      await close();
      await progress[Symbol.asyncDispose]();
    },
  };
}
