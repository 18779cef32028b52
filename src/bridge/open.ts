import { late } from '../kernel/late.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { GatewayApi } from '../gateway/open.ts';
import type { OpenPart } from '../host/part.ts';
import type { CatchUp } from '../kernel/catch-up.ts';
import type { Health } from '../kernel/health.ts';
import type { Route } from '../kernel/route.ts';
import { ownRecords } from '../n8n/generate/records.ts';
import type { Instances } from '../n8n/instances.ts';
import type { N8n } from '../n8n/open.ts';
import type { Bridge } from './bridge.ts';
import { hookOperation } from './live/hook-operation.ts';
import type { HookReceiver } from './live/hook-route.ts';
import type { SharedFile } from './live/shared-file.ts';
import type { BridgeHost } from './settings.ts';
import { bridgeOf } from './settings.ts';

const LOCAL = 'bridge.local';
const FIRST_LOOK_MS = 10_000;
const LISTED_MS = 5000;

const hooks = () => import('./hook-places.ts');

export interface BridgeApi {
  /** Applies the current configuration and instances. Settles when each n8n has been scanned. */
  configure(): Promise<void>;
  /** The bridge, with the tools of the last run restored before any n8n is asked. Undefined while there is no n8n. */
  open(): Promise<Bridge | undefined>;
}

/** The bridge to the connected n8n. Its code is loaded when the first one is connected. */
export async function openBridge(
  host: BridgeHost,
  { gateway, n8n }: { gateway: GatewayApi; n8n: N8n },
): Promise<OpenPart<BridgeApi>> {
  const { home, events, redact } = host;
  const stored = host.store.settings;
  const records = ownRecords(stored);
  const config = () => host.settings().bridge;
  let bridge: Bridge | undefined;
  let told: AsyncDisposable | undefined;
  let heard: Disposable | undefined;
  let following: CatchUp | undefined;
  let shared: { path: string; file: SharedFile; health(): Health } | undefined;

  const load = late(async (instances: Instances): Promise<Bridge> => {
    const { createBridge } = await import('./bridge.ts');
    const { peers, lead, tell, hear } = host.shared;
    const [{ alone }, { createCatchUp }] = peers
      ? await Promise.all([import('../kernel/alone.ts'), import('../kernel/catch-up.ts')])
      : [{}, {}];
    const made = await createBridge({
      instances,
      events,
      redact,
      records,
      settings: (instance) => bridgeOf(config(), instance),
      async serversChanged() {
        const { settled } = await gateway.reconfigure();
        // The next call often uses the new tools, so wait for them, but not long for a slow server.
        await atMost(LISTED_MS, settled);
      },
      taken: () => [...host.all.claims().map(({ name }) => name), ...foreignServers()],
      ownUrls() {
        const { outside, here } = host.url();
        return [...new Set([outside ?? here, here])].flatMap((url) => url ?? []);
      },
      failing: () =>
        gateway
          .backends()
          .filter(({ state }) => state === 'FAILED' || state === 'DEGRADED')
          .map(({ name }) => name),
      shared: () => shared?.file,
      health: n8n.health,
      tool: (name) => gateway.registry.find(name)?.entry,
      reread,
      // The servers of the bridge come from the records: whoever hears of one reads the other too.
      ...(alone && { together: { alone: (work) => alone({ lead }, 'bridge', work), changed: () => tell('servers') } }),
    });
    bridge = made;
    if (createCatchUp) {
      following = createCatchUp('read what another replica bridged', made.follow);
      heard = hear('servers', following.due);
    }
    gateway.addSources(made.sources);
    instances.onWrite(made.wroteByCall);
    return made;
  });

  /** Servers of the gateway that are not the bridge's. Only the bridge's servers have a group. */
  const foreignServers = () =>
    Object.entries(gateway.settings().servers).flatMap(([name, { group }]) => (group === undefined ? [name] : []));

  async function reread(servers: readonly string[]): Promise<void> {
    for (const backend of servers.flatMap((name) => gateway.backend(name) ?? []))
      if (backend.state === 'RUNNING') backend.offer.refresh(['tools']);
      else await backend.lanes.restart();
  }

  async function open(): Promise<Bridge | undefined> {
    const instances = await n8n.instances();
    return instances && instances.names().length > 0 ? load(instances) : load.begun();
  }

  /** Called on every configure: the local n8n and this gateway may start in either order. */
  async function tellLocal(): Promise<void> {
    const { here } = host.url();
    if (here !== undefined) told = await (await hooks()).tellLocalHook(home, here, stored);
  }

  /** Watches the shared file, if one is configured. */
  async function readShared(made: Bridge): Promise<void> {
    const path = config().sharedFile;
    if (path === shared?.path) return;
    await shared?.file[Symbol.asyncDispose]();
    shared = undefined;
    if (path === undefined) return;
    const [{ watchSharedFile }, { sharedHealth }] = await Promise.all([
      import('./live/shared-file.ts'),
      import('./health.ts'),
    ]);
    const file = watchSharedFile({ path, events, lacks: made.lacks, told: made.toldByFile });
    shared = { path, file, health: () => sharedHealth(file.state()) };
  }

  async function configure(): Promise<void> {
    await tellLocal();
    const made = await open();
    if (!made) return;
    await readShared(made);
    const isLocal = n8n.isLocal();
    if ((await stored.get(LOCAL)) !== isLocal) await stored.put(LOCAL, isLocal);
    await made.configure();
  }

  const receiver = late(async (): Promise<HookReceiver> => {
    const { createHookReceiver } = await import('./live/hook-route.ts');
    return createHookReceiver({
      events,
      names: n8n.names,
      secret: async (instance) => (await hooks()).hookSecret(stored, instance),
      told: (instance, workflow) => bridge?.told(instance, workflow, 'hook'),
    });
  });
  const hook: Route = {
    method: 'POST',
    path: '/api/v1/bridge/hook/:instance',
    // n8n has no API key of ours. The hook signature authenticates it.
    scope: 'public',
    openapi: hookOperation,
    handle: async ({ request, params }) => (await receiver())(params.instance ?? '', request),
  };

  const schema: Route = {
    path: '/schemas/n8n-tools.schema.json',
    scope: 'public',
    async handle() {
      const { sharedToolsSchema } = await import('./live/shared-tools.ts');
      return new Response(JSON.stringify(sharedToolsSchema(), null, 2), {
        headers: { 'content-type': 'application/schema+json' },
      });
    },
  };

  let begun: Promise<unknown> = Promise.resolve();
  /** Does not wait long for a slow n8n. */
  const firstLook = () =>
    atMost(
      FIRST_LOOK_MS,
      configure().catch(() => {}),
    );

  gateway.serve('bridge', () => bridge?.servers() ?? {});
  n8n.usedBy({
    /** Bridged tools stay listed while the local n8n does not run. */
    async keepsLocal() {
      if ((await stored.get(LOCAL)) !== true) return false;
      const { listedBefore } = await import('./listed-before.ts');
      return listedBefore(records.get, 'default');
    },
    localChanged: configure,
    hookFile: async (places) => (await hooks()).writeLocalHook(places),
  });

  return {
    api: { configure, open },
    routes: [hook, schema],
    // Scan what our own tools changed as soon as the call ends: n8n has no hook for tags.
    observers: [
      {
        begins: ({ source, entry }) =>
          source === 'n8n' && entry.effect !== 'read' ? () => bridge?.callEnded() : undefined,
      },
    ],
    secrets: () => bridge?.secrets() ?? [],
    health: () => [...(bridge?.health(n8n.isReached) ?? []), ...(shared ? [shared.health()] : [])],
    async begin() {
      if (!(await open())) return;
      const { settled } = await gateway.reconfigure();
      begun = Promise.all([settled, firstLook()]);
    },
    async settled() {
      await begun;
    },
    async reload() {
      // A reload must not wait for an n8n that does not answer.
      void firstLook();
    },
    async [Symbol.asyncDispose]() {
      heard?.[Symbol.dispose]();
      await following?.[Symbol.asyncDispose]();
      await told?.[Symbol.asyncDispose]();
      await shared?.file[Symbol.asyncDispose]();
      await (await load.begun()?.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([work, delay(ms, undefined, { signal: enough.signal, ref: false }).catch(() => {})]);
  enough.abort();
}
