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
import { type NamedTools, namedTools } from './live/named-tools.ts';
import type { SharedTools } from './live/shared-tools.ts';
import { createSharedSource } from './live/shared-source.ts';
import type { Via } from './live/watch-state.ts';
import { lackingFor } from './lacking.ts';
import { createLoops } from './loops/loops.ts';
import { createWatcher, type Watcher } from './live/watcher.ts';
import { createRuns } from './run/runs.ts';
import type { BridgeToolDeps } from './tools/bridge-tool.ts';
import { bridgeTools } from './tools/tools.ts';

/** Up to this many workflows are read one by one; for more, one scan of everything is faster. */
const FEW = 20;

/** How long an n8n waits at start for those before it in the configuration. */
const TURN_MS = 3000;

const either = (signal: AbortSignal, lost?: AbortSignal): AbortSignal =>
  lost ? AbortSignal.any([signal, lost]) : signal;

export type Bridge = Awaited<ReturnType<typeof createBridge>>;

/** Bridges n8n's AI tools and workflows: watchers find them, exposers turn them into tools. */
export async function createBridge(
  given: Omit<BridgeDeps, 'refresh' | 'found' | 'state' | 'named' | 'exclusively' | 'loops' | 'asked'>,
) {
  const watchers = new Map<string, { watcher: Watcher; settings: string; client: N8nClient }>();
  /** If two n8n want the same tool name, the first in the configuration gets it, so later ones wait for its scan. */
  const before = new Map<string, Promise<unknown>>();

  /** By instance: changes by tool calls that have not ended yet. */
  const written = new Map<string, Written[]>();

  function watched(instance: string): Watcher {
    const known = watchers.get(instance)?.watcher;
    if (known) return known;
    const names = [...watchers.keys()].join(', ');
    throw new AppError('not_found', `No n8n called ${instance} is bridged. Bridged: ${names || 'none'}.`);
  }

  const { together } = given;
  let kept = await openAsked(given.records);
  /** How much of our own work with the records runs or waits. */
  let busy = 0;
  let rereading: Promise<void> = Promise.resolve();

  /** Reads again what another replica may have changed. */
  function reread(): Promise<void> {
    const mine = rereading.then(async () => {
      const before = kept;
      kept = await openAsked(given.records);
      for (const instance of watchers.keys())
        if (JSON.stringify(before.of(instance)) !== JSON.stringify(kept.of(instance))) reset(instance);
      for (const exposer of exposers) await exposer.reread?.();
    });
    rereading = mine.catch(() => {});
    return mine;
  }

  /** Replicas take turns with writing, and begin with what the one before them left. */
  async function inOrder<T>(work: (lost?: AbortSignal) => Promise<T>): Promise<T> {
    if (!together) return await work();
    busy++;
    try {
      return await together.alone(async (lost) => {
        await reread();
        return await work(lost);
      });
    } finally {
      busy--;
      together.changed();
    }
  }

  /** What the shared file names, of the content that was last asked for. */
  let named: { of: SharedTools; tools: NamedTools } | undefined;

  /** A changed choice needs a new scan. */
  const reset = (instance: string): void => watchers.get(instance)?.watcher.reset();
  const loops = createLoops({
    ownUrls: given.ownUrls,
    found: () => new Map([...watchers].map(([instance, { watcher }]) => [instance, watcher.found()])),
  });
  const deps: BridgeDeps = {
    ...given,
    loops,
    asked: {
      of: (instance) => kept.of(instance),
      add: (instance, workflows) => inOrder(() => kept.add(instance, workflows)).then(() => reset(instance)),
      drop: (instance, workflows) => inOrder(() => kept.drop(instance, workflows)).then(() => reset(instance)),
    },
    refresh: (instance, workflow) => watched(instance).look(workflow),
    found: (instance) => watched(instance).found(),
    state: (instance) => watched(instance).state(),
    named(instance) {
      const content = given.shared?.()?.content();
      if (content?.instance !== instance || content.tools.length === 0) return undefined;
      if (named?.of !== content) named = { of: content, tools: namedTools(content.tools) };
      return named.tools;
    },
    exclusively: (instance, work) =>
      watched(instance).exclusively((found, signal) => inOrder((lost) => work(found, either(signal, lost)))),
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
    judge: endpoints.judge,
  });
  const stateChanged = (): void => void shared.changed().catch(() => {});

  async function update(instance: string, found: readonly Found[], signal: AbortSignal): Promise<void> {
    await before.get(instance);
    before.delete(instance);
    loops.changed();
    // If one exposer fails, the other still does its work. Each keeps its failures in its own state.
    const ends = await Promise.allSettled(exposers.map((exposer) => exposer.update(instance, found, signal)));
    stateChanged();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  const watch = (instance: string): Watcher =>
    createWatcher(instance, { ...deps, stateChanged }, (found, signal) =>
      inOrder((lost) => update(instance, found, either(signal, lost))),
    );

  const ownTools = createOwnSource<BridgeToolDeps>({
    id: 'bridge',
    // Needed only for set-up, so it need not be listed in full.
    exposure: 'compact',
    description: 'which workflows and AI tools of n8n are tools here',
    tools: bridgeTools,
    deps: { bridge: deps, endpoints, runs, instances: () => [...watchers.keys()], update },
  });

  /** Applies the current instances and settings. Settles when each instance has been scanned. */
  async function configure(): Promise<void> {
    const wanted = given.instances.names().filter((name) => given.settings(name).enabled);
    const looks: Promise<void>[] = [];
    /** Instances that are up now, and were down or different before. */
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
    // Their servers are in back-off: reconnect now instead of at the next retry.
    if (came.length > 0) await revive();
  }

  async function revive(): Promise<void> {
    const failing = given.failing?.() ?? [];
    await given.reread?.(Object.keys(endpoints.servers?.() ?? {}).filter((name) => failing.includes(name)));
  }

  return {
    deps,
    configure,
    /** Lists what another replica made, or no longer lists what it removed. */
    async follow(): Promise<void> {
      // Our own work begins with reading, and tells everybody when it ends, us too.
      if (busy > 0) return;
      await reread();
      await endpoints.publish();
    },
    sources: [ownTools, ...exposers.flatMap(({ sources }) => sources), ...(given.shared ? [shared.source] : [])],
    instances: () => [...watchers.keys()],
    health: (isReached: (instance: string) => boolean): Health[] =>
      [...watchers].flatMap(([instance, { watcher }]) =>
        isReached(instance) ? [bridgeHealth(instance, watcher.state())] : [],
      ),
    servers: (): Record<string, BackendSettings> => Object.assign({}, ...exposers.map(({ servers }) => servers?.())),
    secrets: (): string[] => exposers.flatMap(({ secrets }) => secrets?.() ?? []),
    lacks: (instance: string) => lackingFor(deps, instance),
    /** A hook reports a change. The watcher checks whether there is one. */
    told(instance: string, workflow: string | undefined, via: Via): void {
      watchers.get(instance)?.watcher.told(workflow, via);
    },
    /** Records a change by a tool call. The call may change more before it ends. */
    wroteByCall(instance: string, what: Written): void {
      const before = written.get(instance) ?? [];
      written.set(instance, [...before, what]);
    },
    /** Scans everything that calls have changed so far. */
    callEnded(): void {
      for (const [instance, changes] of written) {
        const ids = [...new Set(changes.map((what) => (what === 'any' ? undefined : what.workflow)))];
        for (const id of ids.includes(undefined) || ids.length > FEW ? [undefined] : ids)
          watchers.get(instance)?.watcher.told(id, 'call');
      }
      written.clear();
    },
    /** The shared file names the changed workflows; undefined means all. n8n has finished these changes, so one scan is enough. */
    toldByFile(instance: string, workflows: readonly string[] | undefined): void {
      stateChanged();
      // The file may choose other tools now.
      if (!workflows) reset(instance);
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
