import type { Auth } from '../auth/part.ts';
import type { GatewayApi } from '../gateway/open.ts';
import type { OpenPart } from '../host/part.ts';
import { yielding } from '../host/yielding.ts';
import { byFirstUse } from '../kernel/first-use.ts';
import type { Health } from '../kernel/health.ts';
import { createSeal } from '../kernel/seal.ts';
import type { ModulesApi } from '../modules/open.ts';
import type { StoreApi } from '../store/part.ts';
import { configuredLibrary } from './library/configured.ts';
import { blueprintSource } from './own-source.ts';
import { isRepeatable } from './recipes/observed.ts';
import { recipeSource } from './recipes/own-source.ts';
import { createRecentCalls } from './recipes/recent.ts';
import { createProgress } from './progress.ts';
import { lateWaiting } from '../host/waiting.ts';
import { blueprintRoutes } from './routes/routes.ts';
import type { Runtime } from './runtime.ts';
import type { BlueprintHost, BlueprintSection } from './settings.ts';
import { createTending } from './tending.ts';

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

const unused: BlueprintSection = { folders: [], atOnce: 1, takeover: 20_000, keepDays: 90, progressTtl: 1 };

/** Blueprints. Their code is loaded by the first call, or at the start if there is a run that goes on. */
export function openBlueprints(host: BlueprintHost, used: Used): OpenPart<BlueprintsApi> {
  const isOff = () => host.settings().blueprints === false;
  const section = (): BlueprintSection => host.settings().blueprints || unused;
  const library = configuredLibrary(section, host.store.tables, used.modules);
  const { store, gateway, auth } = used;
  let hearing: Disposable | undefined;

  const { open, peek, settled, close } = byFirstUse<Runtime>(async () => {
    const { openRuntime } = await import('./runtime.ts');
    return openRuntime({ host, store, gateway, auth, library, section, published: progress.changed });
  });

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

  let forgotAt = 0;
  /** If the store does not answer, the next time is soon enough: nobody else can read them. */
  async function forgetEnded(): Promise<void> {
    if (Date.now() - forgotAt < FORGET_MS) return;
    forgotAt = Date.now();
    await recent.forgetEnded(liveKeys).catch(() => {});
  }

  const tending = createTending({
    host,
    isOff,
    keepDays: () => section().keepDays,
    open,
    standing: auth.standing,
    besides: forgetEnded,
  });

  function health(): readonly Health[] {
    const about = { name: 'blueprints', kind: 'blueprints' } as const;
    const now = () => new Date().toISOString();
    const failure = tending.trouble();
    const message = failure?.message ?? peek()?.trouble();
    if (message !== undefined)
      return [{ ...about, state: 'failing', lastError: { message, at: failure?.at ?? now() } }];
    const [unread] = library.problems();
    const problem = unread ? `${unread.where}: ${unread.message}` : progress.trouble();
    return problem === undefined ? [] : [{ ...about, state: 'degraded', lastError: { message: problem, at: now() } }];
  }

  const isAuthOn = () => auth.settings().mode !== 'none' || auth.settings().token !== undefined;

  return {
    api: { open },
    sources: [own.source, recipes.source],
    observers: [recent.observer],
    absent: () => [...own.absent(), ...recipes.absent()],
    routes: blueprintRoutes({ gateway, open, stopping: host.stopping }),
    waiting: lateWaiting(async () => {
      const { blueprintsWaiting } = await import('./waiting-room.ts');
      const { tables, settings } = host.store;
      const seal = async () => createSeal(await settings.secret('blueprints'));
      return blueprintsWaiting({ gateway, stopping: host.stopping, tables, seal, isAuthOn });
    }),
    health,
    secrets: () => peek()?.secrets() ?? [],
    async begin() {
      hearing = host.shared.hear('blueprints', () => {
        tending.wakeUp();
        void peek()
          ?.heard()
          .catch(() => {});
      });
      tending.begin();
    },
    async reload() {
      own.reload();
      recipes.reload();
      if (hasNoRecipes()) recent.clear();
      await settled();
      if (isOff()) {
        await close();
        await library.close();
      } else await library.reload();
    },
    async [Symbol.asyncDispose]() {
      recent.clear();
      hearing?.[Symbol.dispose]();
      await tending[Symbol.asyncDispose]();
      await close();
      await library.close();
      await progress[Symbol.asyncDispose]();
    },
  };
}
