import { setTimeout as delay } from 'node:timers/promises';
import type { Bridge } from './bridge/bridge.ts';
import { sharedHealth } from './bridge/health.ts';
import { hookOperation } from './bridge/live/hook-operation.ts';
import type { HookReceiver } from './bridge/live/hook-route.ts';
import type { SharedFile } from './bridge/live/shared-file.ts';
import { hookSecret, tellLocalHook } from './bridge-hook.ts';
import { bridgeOf } from './bridge/section.ts';
import type { Config } from './host/config/schema.ts';
import { ownSources } from './host/config/source-clashes.ts';
import type { BackendSettings } from './gateway/settings.ts';
import type { CallObserver } from './kernel/call.ts';
import type { BridgeEvents } from './bridge/facts.ts';
import type { Health } from './kernel/health.ts';
import type { Route } from './kernel/part.ts';
import type { ToolSource } from './kernel/source.ts';
import type { OwnRecords } from './n8n/generate/records.ts';
import type { Instances } from './n8n/instances.ts';
import type { Settings } from './store/store.ts';

const KEY = 'bridge.';
const LOCAL = `${KEY}local`;
const FIRST_LOOK_MS = 10_000;
const LISTED_MS = 5000;

/** What is remembered of what was generated in n8n, by the bridge or because a call asked for it. */
export const ownRecords = (stored: Settings): OwnRecords => ({
  get: (key) => stored.get(KEY + key),
  put: (key, value) => stored.put(KEY + key, value),
  secret: (key) => stored.secret(KEY + key),
});

/** Whether tools of the local n8n were bridged: they stay listed while it does not run. */
export async function bridgesLocal(stored: Pick<Settings, 'get'>): Promise<boolean> {
  if ((await stored.get(LOCAL)) !== true) return false;
  const { listedBefore } = await import('./bridge/listed-before.ts');
  return listedBefore((key) => stored.get(KEY + key), 'default');
}

/** The bridge to the n8n that are connected. It is loaded when there is one. */
export function createBridgeHost(options: {
  home: string;
  config(): Config;
  instances(): Promise<Instances | undefined>;
  /** Every n8n that is configured. */
  names(): readonly string[];
  /** Whether the one that is called default is the local one. */
  isLocal(): boolean;
  settings: Settings;
  events: BridgeEvents;
  redact(text: string): string;
  addSources(sources: readonly ToolSource[]): void;
  /** The names of the gateway's servers that are not ours. */
  servers(): readonly string[];
  /** Lets the gateway take over what `servers` gives now; `settled` when each new one has tried to start. */
  reconfigure(): Promise<{ readonly settled: Promise<void> }>;
  /** What TOOLS_SHARED_PATH says. */
  sharedPath(): string | undefined;
  /** Where this gateway is served, inside and outside. */
  urls(): readonly string[];
  /** Reads again what these servers of the gateway offer. */
  reread(servers: readonly string[]): Promise<void>;
  /** Servers of the gateway that are not well. */
  failing(): readonly string[];
}) {
  const { config, settings: stored } = options;
  let loading: Promise<Bridge> | undefined;
  let bridge: Bridge | undefined;
  let served: string | undefined;
  let told: AsyncDisposable | undefined;
  let shared: { path: string; file: SharedFile } | undefined;

  async function load(instances: Instances): Promise<Bridge> {
    const { createBridge } = await import('./bridge/bridge.ts');
    const made = await createBridge({
      instances,
      events: options.events,
      redact: options.redact,
      records: ownRecords(stored),
      settings: (instance) => bridgeOf(config().bridge, instance),
      async serversChanged() {
        const { settled } = await options.reconfigure();
        // Whoever has applied calls next; one that takes its time keeps nobody waiting for long.
        await atMost(LISTED_MS, settled);
      },
      taken: () => [...ownSources, ...Object.keys(config().modules), ...options.servers()],
      ownUrls: options.urls,
      failing: options.failing,
      ...(options.sharedPath() !== undefined && { shared: () => shared?.file }),
      reread: options.reread,
    });
    bridge = made;
    options.addSources(made.sources);
    instances.onWrite(made.wroteByCall);
    return made;
  }

  /** What was bridged before a restart is there again, before any n8n was asked. Undefined while there is none. */
  async function open(): Promise<Bridge | undefined> {
    const instances = await options.instances();
    if (instances && instances.names().length > 0) loading ??= load(instances);
    return loading;
  }

  /** The local n8n may come later than we are served, and we later than it. */
  async function tellLocal(): Promise<void> {
    if (served !== undefined) told = await tellLocalHook(options.home, served, stored);
  }

  /** The file that n8n's neighbours share, where the environment names one. */
  async function readShared(made: Bridge): Promise<void> {
    const path = options.sharedPath();
    if (path === shared?.path) return;
    await shared?.file[Symbol.asyncDispose]();
    shared = undefined;
    if (path === undefined) return;
    const { watchSharedFile } = await import('./bridge/live/shared-file.ts');
    shared = { path, file: watchSharedFile({ path, events: options.events, told: made.toldByFile }) };
  }

  async function configure(): Promise<void> {
    await tellLocal();
    const made = await open();
    if (!made) return;
    await readShared(made);
    const isLocal = options.isLocal();
    if ((await stored.get(LOCAL)) !== isLocal) await stored.put(LOCAL, isLocal);
    await made.configure();
  }

  let receiving: Promise<HookReceiver> | undefined;
  async function receiver(): Promise<HookReceiver> {
    const { createHookReceiver } = await import('./bridge/live/hook-route.ts');
    return createHookReceiver({
      events: options.events,
      names: options.names,
      secret: (instance) => hookSecret(stored, instance),
      told: (instance, workflow) => bridge?.told(instance, workflow, 'hook'),
    });
  }
  const hook: Route = {
    method: 'POST',
    path: '/api/v1/bridge/hook/:instance',
    // Whoever knows the secret: n8n has no key of ours.
    scope: 'public',
    openapi: hookOperation,
    handle: async ({ request, params }) => (await (receiving ??= receiver()))(params.instance ?? '', request),
  };

  const schema: Route = {
    path: '/schemas/n8n-tools.schema.json',
    scope: 'public',
    async handle() {
      const { sharedToolsSchema } = await import('./bridge/live/shared-tools.ts');
      return new Response(JSON.stringify(sharedToolsSchema(), null, 2), {
        headers: { 'content-type': 'application/schema+json' },
      });
    },
  };

  return {
    open,
    routes: [hook, schema],
    /** Takes configuration and instances over as they are now; settles when each n8n was looked at. */
    configure,
    /** The same for the start, which does not wait for an n8n that takes its time. */
    async begin(): Promise<void> {
      await atMost(
        FIRST_LOOK_MS,
        configure().catch(() => {}),
      );
    },
    /** What is changed through our own tools is looked at as soon as the call has ended: n8n has no hook for tags. */
    observer: {
      begins: ({ source, entry }) =>
        source === 'n8n' && entry.effect !== 'read' ? () => bridge?.callEnded() : undefined,
    } satisfies CallObserver,
    servers: (): Readonly<Record<string, BackendSettings>> => bridge?.servers() ?? {},
    secrets: (): string[] => bridge?.secrets() ?? [],
    health: (isReached: (instance: string) => boolean): Health[] => [
      ...(bridge?.health(isReached) ?? []),
      ...(shared ? [sharedHealth(shared.file.state())] : []),
    ],
    /** Where hooks of an n8n on this machine arrive. */
    async servedAt(url: string): Promise<void> {
      served = url;
      await tellLocal();
    },
    async [Symbol.asyncDispose]() {
      await told?.[Symbol.asyncDispose]();
      await shared?.file[Symbol.asyncDispose]();
      await (await loading)?.[Symbol.asyncDispose]();
    },
  };
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([work, delay(ms, undefined, { signal: enough.signal, ref: false }).catch(() => {})]);
  enough.abort();
}
