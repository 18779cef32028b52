import { setTimeout as delay } from 'node:timers/promises';
import type { BackendSettings } from '../gateway/settings.ts';
import { AppError } from '../kernel/errors.ts';
import type { Health } from '../kernel/health.ts';
import type { N8nClient } from '../n8n/client/client.ts';
import type { Written } from '../n8n/client/written.ts';
import { createOwnSource } from '../kernel/own-source.ts';
import { openAsked } from './asked.ts';
import type { Found } from './discover.ts';
import { mayGenerate } from './consent.ts';
import { bridgeHealth } from './health.ts';
import { createEndpoints } from './ai-tools/endpoints.ts';
import type { BridgeDeps } from './exposer.ts';
import { createSharedSource } from './live/shared-source.ts';
import type { Via } from './live/watch-state.ts';
import { createLoops } from './loops/loops.ts';
import { createWatcher, type Watcher } from './live/watcher.ts';
import { createRuns } from './run/runs.ts';
import type { BridgeToolDeps } from './tools/bridge-tool.ts';
import { bridgeTools } from './tools/tools.ts';

/** As many as are sooner looked at one by one than all together. */
const FEW = 20;

/** So long a look waits for those of other n8n at the start. */
const TURN_MS = 3000;

export type Bridge = Awaited<ReturnType<typeof createBridge>>;

/** n8n's AI tools and workflows as tools: looks what is there, and lets the exposers make tools of it. */
export async function createBridge(
  given: Omit<BridgeDeps, 'refresh' | 'found' | 'state' | 'exclusively' | 'loops' | 'asked'>,
) {
  const watchers = new Map<string, { watcher: Watcher; settings: string; client: N8nClient }>();
  /** Where two n8n want one name, the one that the configuration has first gets it: what the others wait for. */
  const before = new Map<string, Promise<unknown>>();

  /** What calls that are not over yet have changed, by instance. */
  const written = new Map<string, Written[]>();

  function watched(instance: string): Watcher {
    const known = watchers.get(instance)?.watcher;
    if (known) return known;
    const names = [...watchers.keys()].join(', ');
    throw new AppError('not_found', `No n8n called ${instance} is bridged. Those that are: ${names || 'none'}.`);
  }

  const kept = await openAsked(given.records);
  /** What is chosen otherwise is looked at anew. */
  const reset = (instance: string): void => watchers.get(instance)?.watcher.reset();
  const loops = createLoops({
    ownUrls: given.ownUrls,
    found: () => new Map([...watchers].map(([instance, { watcher }]) => [instance, watcher.found()])),
  });
  const deps: BridgeDeps = {
    ...given,
    loops,
    asked: {
      of: kept.of,
      add: (instance, workflows) => kept.add(instance, workflows).then(() => reset(instance)),
      drop: (instance, workflows) => kept.drop(instance, workflows).then(() => reset(instance)),
    },
    refresh: (instance, workflow) => watched(instance).look(workflow),
    found: (instance) => watched(instance).found(),
    state: (instance) => watched(instance).state(),
    exclusively: (instance, work) => watched(instance).exclusively(work),
  };
  const endpoints = createEndpoints(deps);
  const runs = createRuns(deps);
  const exposers = [endpoints, runs];
  for (const exposer of exposers) await exposer.restore?.();

  const shared = createSharedSource({
    ...deps,
    watched: (instance) => watchers.has(instance),
    mayGenerate: (instance) => mayGenerate(deps, instance),
    slug: endpoints.slug,
    isMade: (instance, workflow) => endpoints.state(instance).endpoints.some(({ source }) => source === workflow),
  });
  const stateChanged = (): void => void shared.changed().catch(() => {});

  async function update(instance: string, found: readonly Found[], signal: AbortSignal): Promise<void> {
    // One that fails does not keep the other from what it can do; what they could not do is in their own state.
    await before.get(instance);
    before.delete(instance);
    loops.changed();
    const ends = await Promise.allSettled(exposers.map((exposer) => exposer.update(instance, found, signal)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  const watch = (instance: string): Watcher =>
    createWatcher(instance, { ...deps, stateChanged }, (found, signal) => update(instance, found, signal));

  const ownTools = createOwnSource<BridgeToolDeps>({
    id: 'bridge',
    // For who sets it up, which is seldom.
    exposure: 'compact',
    description: 'which workflows and AI tools of n8n are tools here',
    tools: bridgeTools,
    deps: { bridge: deps, endpoints, runs, instances: () => [...watchers.keys()], update },
  });

  /** Takes instances and settings over as they are now; settles when each was looked at. */
  async function configure(): Promise<void> {
    const wanted = given.instances.names().filter((name) => given.settings(name).enabled);
    const looks: Promise<void>[] = [];
    /** These can be asked, and could not be before or were others. */
    const came: string[] = [];
    for (const [name, { watcher }] of watchers) {
      if (wanted.includes(name)) continue;
      watchers.delete(name);
      await watcher[Symbol.asyncDispose]();
      for (const exposer of exposers) await exposer.forget(name);
    }
    for (const name of wanted) {
      const client = given.instances.get(name);
      const isUp = client.presence.isUp();
      const settings = JSON.stringify([given.settings(name), given.taken(), isUp]);
      const known = watchers.get(name);
      if (known?.settings === settings && known.client === client) continue;
      if (!isUp) {
        watchers.set(name, { watcher: known?.watcher ?? watch(name), settings, client });
        continue;
      }
      came.push(name);
      const watcher = known?.watcher ?? watch(name);
      if (known) watcher.reset();
      else if (looks.length > 0)
        before.set(name, Promise.race([Promise.allSettled(looks.slice()), delay(TURN_MS, undefined, { ref: false })]));
      watchers.set(name, { watcher, settings, client });
      looks.push(watcher.look(undefined, 'start'));
    }
    stateChanged();
    await endpoints.publish();
    await Promise.allSettled(looks);
    // Their servers were given up for a while, and would be tried again only some time later.
    if (came.length > 0) await revive();
  }

  async function revive(): Promise<void> {
    const failing = given.failing?.() ?? [];
    await given.reread?.(Object.keys(endpoints.servers?.() ?? {}).filter((name) => failing.includes(name)));
  }

  return {
    deps,
    configure,
    sources: [ownTools, ...exposers.flatMap(({ sources }) => sources), ...(given.shared ? [shared.source] : [])],
    instances: () => [...watchers.keys()],
    health: (isReached: (instance: string) => boolean): Health[] =>
      [...watchers].flatMap(([instance, { watcher }]) =>
        isReached(instance) ? [bridgeHealth(instance, watcher.state())] : [],
      ),
    servers: (): Record<string, BackendSettings> => Object.assign({}, ...exposers.map(({ servers }) => servers?.())),
    secrets: (): string[] => exposers.flatMap(({ secrets }) => secrets?.() ?? []),
    /** A hook says that something changed; whether it is so is looked up. */
    told(instance: string, workflow: string | undefined, via: Via): void {
      watchers.get(instance)?.watcher.told(workflow, via);
    },
    /** A call has changed this; it may change more before it ends. */
    wroteByCall(instance: string, what: Written): void {
      const before = written.get(instance) ?? [];
      written.set(instance, [...before, what]);
    },
    /** What calls have changed is looked at as soon as one has ended. */
    callEnded(): void {
      for (const [instance, changes] of written) {
        const ids = [...new Set(changes.map((what) => (what === 'any' ? undefined : what.workflow)))];
        for (const id of ids.includes(undefined) || ids.length > FEW ? [undefined] : ids)
          watchers.get(instance)?.watcher.told(id, 'call');
      }
      written.clear();
    },
    /** The shared file says which workflows are other than before; undefined for all of them. n8n is done with them. */
    toldByFile(instance: string, workflows: readonly string[] | undefined): void {
      stateChanged();
      const few = workflows && workflows.length <= FEW ? workflows : [undefined];
      for (const id of few)
        void watchers
          .get(instance)
          ?.watcher.look(id, 'file')
          .catch(() => {});
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...watchers.values()].map(({ watcher }) => watcher[Symbol.asyncDispose]()));
      for (const exposer of exposers) await exposer[Symbol.asyncDispose]?.();
    },
  };
}
