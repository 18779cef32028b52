import type { CallPath } from '../kernel/call.ts';
import { formerly } from '../kernel/callable.ts';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { GatewayEvents } from './facts.ts';
import type { Redactor } from '../kernel/redact.ts';
import type { Exposure, Json, ToolSource } from '../kernel/source.ts';
import type { Tracer } from '../kernel/tracing.ts';
import type { Store } from '../store/store.ts';
import { code, errorOutcome } from '../wire/jsonrpc.ts';
import type { Backend, BackendDeps } from './backends/backend.ts';
import type { BackendSource } from './backends/backend-source.ts';
import { isSameConnection, isSameServer } from './backends/connection-of.ts';
import { callByName } from './call-by-name.ts';
import { type Changed, createNotices } from './notices.ts';
import { createParking } from './parking.ts';
import { createPromptIndex } from './prompts.ts';
import { createRegistry, type Registered } from './registry.ts';
import { createRelay } from './relay.ts';
import { createResourceIndex } from './resources.ts';
import { createRouter } from './router.ts';
import { createStateSeal } from './sealed-state.ts';
import { createService } from './service.ts';
import type { BackendSettings, RouteRule, Toolset } from './settings.ts';
import { type SignIn, signInTarget } from './backends/sign-in.ts';
import type { ToolMeanings } from './exposure/tool-meanings.ts';
import { createVisibility } from './visibility.ts';
import { createTaskIndex, renameTask } from './tasks.ts';

export interface GatewaySettings {
  servers: Readonly<Record<string, BackendSettings>>;
  toolsets: Record<string, Toolset>;
  expose?: Exposure;
  readOnly?: boolean;
  routes: readonly RouteRule[];
  startConcurrency: number;
  /** Private connections that one caller may have to a server; default: 50. */
  connections?: number;
}

export interface GatewayDeps {
  store: Store;
  events: GatewayEvents;
  callPath: CallPath;
  tracer?: Tracer | undefined;
  /** Loaded together with the first server. */
  signIn?: { load(): Promise<SignIn> } | undefined;
  environment: NodeJS.ProcessEnv;
  serverInfo: Json;
  redact: Redactor;
  publicLookup: BackendDeps['publicLookup'];
  /** Compares a wish with what tools are for; without it, search uses words only. */
  meanings?: ToolMeanings;
  healthMs?: number;
}

export interface Configured {
  added: string[];
  changed: string[];
  removed: string[];
}

export type Gateway = Awaited<ReturnType<typeof createGateway>>;

/** Many MCP servers as one. */
export async function createGateway(deps: GatewayDeps, initial: GatewaySettings) {
  const { store, events } = deps;
  const registry = createRegistry(events);
  const notices = createNotices();
  const { peers } = store.shared;
  const parking = createParking(peers?.self);
  const tasks = createTaskIndex(() => backends(), store.taskOwners, peers);
  const relay = createRelay({
    seal: createStateSeal(await store.settings.secret('request-state')),
    clientInfo: deps.serverInfo,
    tasks,
    tracer: deps.tracer,
    signIn: () => signIn,
  });
  let settings = initial;
  let signIn: SignIn | undefined;
  let ownSources: readonly ToolSource[] = [];
  let sources: BackendSource[] = [];
  /** Replaced backends that still have calls in flight. */
  const leaving = new Set<Backend>();
  const backends = () => sources.map(({ backend }) => backend);
  /** Those of our own that have tools at the moment: a source without tools offers nothing else either. */
  const offering = () => ownSources.filter((own) => (own.prompts || own.resources) && own.entries().length > 0);
  const resources = createResourceIndex(backends, offering);
  const prompts = createPromptIndex(backends, offering);
  const inTurn = createTurns(() => settings.startConcurrency);

  const backendDeps: BackendDeps = {
    events,
    store,
    environment: deps.environment,
    clientInfo: deps.serverInfo,
    redact: deps.redact,
    get signIn() {
      return signIn;
    },
    publicLookup: deps.publicLookup,
    inTurn,
    healthMs: deps.healthMs ?? 30_000,
    mostOwned: () => settings.connections ?? 50,
    observer: {
      catalogueChanged(backend, kinds) {
        sources.find((source) => source.backend === backend)?.changed();
        resources.invalidate();
        prompts.invalidate();
        notices.changed(kinds.map((kind) => (kind === 'templates' ? 'resources' : kind)));
      },
      resourceUpdated(backend, params) {
        if (typeof params.uri === 'string') notices.updated(resources.exposed(backend, params.uri), params);
      },
      taskNotified(backend, lane, method, params) {
        const task = tasks.at(backend, lane, params.taskId);
        if (task?.session === undefined) return;
        for (const connection of notices.connections)
          if (connection.id === task.session) connection.notify(method, renameTask(params, task.own, task.id));
      },
      endIdle(session) {
        for (const connection of notices.connections) if (connection.id === session) return connection.endIdle();
        return false;
      },
      isWatched: () => notices.connections.size > 0 || notices.listeners.size > 0,
      async ask(session, method, params) {
        const connection =
          session === undefined ? undefined : [...notices.connections].find(({ id }) => id === session);
        if (connection) return connection.ask(method, params);
        // Some servers ask for roots at their start. No client is calling yet, so there are none.
        if (method === 'roots/list') return { result: { roots: [] } };
        return errorOutcome(
          code.server,
          `This ${method} belongs to no call in flight. If this server asks outside of calls, set "isolation: session" for it.`,
        );
      },
    },
  };

  const visibility = createVisibility({
    registry,
    backends,
    toolsets: () => settings.toolsets,
    chosen: () => settings,
    meanings: deps.meanings,
  });
  const service = createService({
    serverInfo: deps.serverInfo,
    registry,
    callPath: deps.callPath,
    relay,
    resources,
    prompts,
    notices,
    parking,
    tasks,
    visibility,
    backends,
    attend() {
      for (const { backend } of sources) backend.offer.attend();
    },
    toolsets: () => settings.toolsets,
    routes: () => settings.routes,
  });

  async function loadSignIn(): Promise<void> {
    if (signIn || !deps.signIn) return;
    signIn = await deps.signIn.load();
    signIn.onSignIn(({ url }, principal) => {
      for (const backend of backends())
        if (signInTarget(backend.name, backend.settings)?.url === url) backend.signedIn(principal);
    });
  }

  /** Loads the code that talks to servers on first use. `open` has the connections that it goes on with. */
  async function createSource(name: string, server: BackendSettings, open?: Backend): Promise<BackendSource> {
    const [{ Backend }, { createBackendSource }] = await Promise.all([
      import('./backends/backend.ts'),
      import('./backends/backend-source.ts'),
      loadSignIn(),
    ]);
    const sourceOf = (backend: Backend) =>
      createBackendSource(backend, {
        relay,
        onLinks: (owner, uris) => resources.remember(owner, uris),
        onTask: tasks.made,
      });
    if (open) {
      await open.apply(server);
      return sourceOf(open);
    }
    const backend = new Backend(name, server, backendDeps);
    for (const { client } of notices.connections)
      if (client.logLevel !== undefined) void backend.raiseLogLevel(client.logLevel);
    return sourceOf(backend);
  }

  function publish(): void {
    registry.set([...ownSources, ...sources]);
    resources.invalidate();
    prompts.invalidate();
  }

  /**
   * Brings the backends in line with the settings. Settles when every new one has tried to start once. What is stored
   * about a removed one is deleted if `forgets` says so.
   */
  async function configure(
    next: GatewaySettings,
    forgets: (server: string) => boolean = () => true,
  ): Promise<{ diff: Configured; settled: Promise<void> }> {
    const before = settings;
    const wanted = Object.entries(next.servers).filter(([, server]) => server.enabled);
    const known = new Map(sources.map((source) => [source.id, source]));
    const diff: Configured = { added: [], changed: [], removed: [] };
    const kept: BackendSource[] = [];
    const fresh: { backend: Backend; old: Backend | undefined }[] = [];
    for (const [name, server] of wanted) {
      const old = known.get(name);
      known.delete(name);
      if (old && JSON.stringify(old.backend.settings) === JSON.stringify(server)) {
        kept.push(old);
        continue;
      }
      (old ? diff.changed : diff.added).push(name);
      if (old && isSameConnection(old.backend.settings, server)) {
        kept.push(await createSource(name, server, old.backend));
        continue;
      }
      const source = await createSource(name, server);
      const isKnown = old && isSameServer(old.backend.settings, server);
      await source.backend.offer.restore(isKnown ? old.backend.catalogue : undefined);
      events.record({ type: 'gateway.backend_registered', backend: name, transport: server.transport.kind });
      fresh.push({ backend: source.backend, old: old?.backend });
      kept.push(source);
    }
    settings = next;
    sources = kept;
    // From here on calls go to the new backends. Those that have begun end on the old ones.
    const starts = fresh.map(({ backend, old }) => {
      if (old) backend.subscriptions.inherit(old.subscriptions.watched());
      return Promise.race([backend.lanes.start(old && succeed(old, backend)), backend.held]);
    });
    diff.removed.push(...known.keys());
    publish();
    // A new server announces its tools itself, once it has read them, unless they are known already.
    const isListed = fresh.some(({ backend }) => backend.catalogue);
    if (diff.changed.length + diff.removed.length > 0 || isListed) notices.changed(['tools', 'prompts', 'resources']);
    else if (listing(before) !== listing(next)) notices.changed(['tools']);
    const settled = Promise.all(starts).then(() => {});
    // Remove in parallel: a server that stops slowly must not delay the others.
    await Promise.all([...known.values()].map(({ backend }) => remove(backend)));
    return { diff, settled };

    /** What a backend has to wait for before it takes the place of another one. */
    function succeed(old: Backend, backend: Backend): Promise<void> | undefined {
      const { before, done } = old.leave('its configuration changed');
      leaving.add(old);
      void done.catch((error: unknown) => backend.noted(toAppError(error))).finally(() => leaving.delete(old));
      return before;
    }

    async function remove(backend: Backend): Promise<void> {
      await backend.stop('it was removed');
      if (!Object.hasOwn(next.servers, backend.name) && forgets(backend.name)) await backend.offer.forget();
      events.record({ type: 'gateway.backend_removed', backend: backend.name });
    }
  }

  const route = createRouter(registry, () => settings.routes);

  return {
    service: deps.tracer ? (await import('./traced-service.ts')).tracedService(service, deps.tracer) : service,
    told: deps.callPath.told,
    call: callByName({
      registry,
      callPath: deps.callPath,
      visibility,
      routes: () => settings.routes,
      serverInfo: deps.serverInfo,
    }),
    /** The tool that a call reaches, whoever may call it, before it is called. */
    reached(name: string, args: Json): Registered | undefined {
      const tool = registry.find(name);
      if (!tool) return undefined;
      const routed = route(tool, formerly(tool, name)?.(args) ?? args);
      // The call says what is wrong with its arguments.
      return routed instanceof AppError ? tool : routed;
    },
    /** All tools that a call of this name may reach: the arguments decide. */
    reachable(name: string): readonly Registered[] {
      const tool = registry.find(name);
      return tool ? route.reachable(tool) : [];
    },
    visibility,
    registry,
    backends,
    configure,
    settings: () => settings,
    /** Our own tools; every list has them before the backends' tools. */
    addSources(more: readonly ToolSource[]): void {
      ownSources = [...ownSources, ...more];
      publish();
      // Announce changes of our own tools (bridged workflows, an n8n that was connected) like a backend's.
      for (const source of more) {
        source.onChange(() => {
          resources.invalidate();
          prompts.invalidate();
          notices.changed(changedWith(source));
        });
        source.resources?.onListChange(() => notices.changed(['resources']));
        source.resources?.onUpdate((uri) => {
          if (resources.own(uri) === source.resources) notices.updated(uri, {});
        });
      }
      if (notices.connections.size + notices.listeners.size > 0)
        notices.changed(['tools', ...more.flatMap(changedWith)]);
    },
    backend: (name: string): Backend | undefined => backends().find((backend) => backend.name === name),
    parked: () => parking.size(),
    async [Symbol.asyncDispose]() {
      notices[Symbol.dispose]();
      await Promise.all([...backends(), ...leaving].map((backend) => backend.stop('the gateway is stopping')));
    },
  };
}

/** The lists that a change of our own source may change. */
const changedWith = ({ prompts, resources }: ToolSource): Changed[] => [
  'tools',
  ...(prompts ? ['prompts' as const] : []),
  ...(resources ? ['resources' as const] : []),
];

/** The settings besides the servers that decide how tools are listed. */
const listing = ({ toolsets, expose, readOnly }: GatewaySettings): string =>
  JSON.stringify([toolsets, expose, readOnly]);

const TURN_MS = 2000;

/** Runs work a few at a time, in order. After TURN_MS, work is mostly waiting: it no longer counts, and the next begins. */
function createTurns(limit: () => number): BackendDeps['inTurn'] {
  let running = 0;
  const waiting = new Set<() => void>();

  function admit(): void {
    for (const enter of waiting) {
      if (running >= limit()) return;
      waiting.delete(enter);
      running++;
      enter();
    }
  }

  return async (work, signal) => {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting.delete(enter);
        reject(toAppError(signal.reason));
      };
      const enter = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.add(enter);
      admit();
    });
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      running--;
      admit();
    };
    const timer = setTimeout(release, TURN_MS);
    timer.unref();
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  };
}
