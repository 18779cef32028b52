import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openLogins } from './backend-login.ts';
import { bridgesLocal, createBridgeHost, ownRecords } from './bridge-instances.ts';
import { ConfigError, type Env, formatProblems, type Loaded, loadConfig, problemLines } from './host/config/load.ts';
import { serverTimeout } from './host/config/environment.ts';
import { createConfigHealth } from './host/config/health.ts';
import { applyPresets } from './gateway/config/presets.ts';
import type { Config } from './host/config/schema.ts';
import { publicLookup } from './wire/url-guard.ts';
import { createForwarding } from './events/forwarding.ts';
import { eventHealth } from './events/health.ts';
import { keepEvents } from './events/keeping.ts';
import { createWatching } from './events/watching.ts';
import { createEmbedder } from './embedder/embedder.ts';
import type { Backend } from './gateway/backend.ts';
import { readOnly } from './gateway/exposure.ts';
import { createGateway } from './gateway/gateway.ts';
import { gatewayPart } from './gateway/part.ts';
import { readStatus } from './gateway/status.ts';
import type { BackendSettings } from './gateway/settings.ts';
import { signInTarget } from './gateway/sign-in.ts';
import { createToolMeanings } from './gateway/tool-meanings.ts';
import { createGatewaySettings } from './gateway-settings.ts';
import { createCallPath } from './kernel/call.ts';
import { AppError } from './kernel/errors.ts';
import { facts } from './facts.ts';
import { auditTypes } from './kernel/events.ts';
import type { CallEvents } from './kernel/call-facts.ts';
import { fileTrouble } from './kernel/file-errors.ts';
import type { Health } from './kernel/health.ts';
import type { Principal } from './kernel/principal.ts';
import { toolLimits } from './kernel/tool-limits.ts';
import { createRedactor } from './kernel/redact.ts';
import { cacheDirectory } from './n8n/local/places.ts';
import { createN8n } from './n8n-instances.ts';
import { nodeCatalogues } from './node-catalogues.ts';
import { nodesPart } from './nodes/part.ts';
import { meaningVectors } from './nodes/places.ts';
import { createMeaning } from './nodes/search/meaning/meaning.ts';
import { openObservation, openServerLog, warnOfExposed } from './observation.ts';
import { loginPart } from './login/routes.ts';
import { createServerAdmin } from './server-admin.ts';
import { createEventLog, upToDate } from './store/event-log.ts';
import { storeFileTrouble } from './store/file-trouble.ts';
import { storeHealth } from './store/health.ts';
import { openSqlite } from './store/sqlite.ts';
import { logged } from './host/log/log.ts';
import { version } from './version.ts';

export interface RuntimeOptions {
  home: string;
  cwd: string;
  env: Env;
  file?: string;
  expose?: 'flat' | 'compact' | 'search';
  /** A local n8n is about to be started beside it. */
  withN8n?: boolean;
  /** How the log is written; without it there is none. */
  log?: { pretty: boolean; colour: boolean };
}

export type Runtime = Awaited<ReturnType<typeof startRuntime>>;

/** Everything behind the wire, put together: configuration, store, events, gateway, our own tools. */
export async function startRuntime(options: RuntimeOptions, first?: Loaded) {
  let loaded = first ?? (await load(options));
  let presets = await applyPresets(loaded.config, loaded.env, options.cwd);
  await makeHome(options.home);
  const store = await openSqlite(join(options.home, 'sluice.db'), { audit: auditTypes(facts) });
  const config = () => presets.config;
  const storeFile = storeFileTrouble(join(options.home, 'sluice.db'));
  const configuration = createConfigHealth(loaded.file);
  const gatewaySettings = createGatewaySettings({
    servers: store.servers,
    config,
    timeout: () => serverTimeout(loaded.env),
    expose: options.expose,
    bridged: () => bridged(),
  });
  let bridged = (): Readonly<Record<string, BackendSettings>> => ({});
  let loginSecrets = (): string[] => [];
  let n8nSecrets = (): string[] => [];
  const redact = createRedactor(() => [
    ...loaded.secrets,
    ...gatewaySettings.secrets(),
    ...loginSecrets(),
    ...n8nSecrets(),
  ]);
  const level = () => presets.config.logLevel;
  const { logFormat } = loaded.environment;
  const wanted = logFormat && { pretty: logFormat === 'text' };
  const log = options.log && openServerLog({ ...options.log, ...wanted, level, redact, facts });
  const stored = createEventLog(store.events, { facts });
  let isSettled = false;
  const startIsTold = () => options.log?.pretty === true && !isSettled;
  const events = log ? logged(stored, log, { facts, startIsTold }) : stored;
  const forReaders = { ...store, events: upToDate(store.events, events) };
  const webhookNames = () => (presets.config.events.webhook ?? []).map(({ name }) => name);
  const kept = keepEvents(
    { store: forReaders, log: events, redact, keepFrom: () => store.outbox.keepFrom(webhookNames()) },
    presets.config.events,
  );
  const forwarding = createForwarding({ store, events, version, redact });
  const watching = createWatching({ tails: store.tails, events, redact });
  const connectEvents = async ({ webhook = [], watch = [] }: Loaded['config']['events']) => {
    await forwarding.configure(webhook);
    await watching.configure(watch);
  };
  await connectEvents(presets.config.events);
  const serverInfo = { name: 'sluice', title: 'Sluice', version };
  const startedAt = Date.now();
  let sessions = () => 0;
  let url: string | undefined;

  const observation = await openObservation({
    env: loaded.env,
    home: options.home,
    config,
    redact,
    log,
    readings: {
      ready: () => isSettled,
      sessions: () => sessions(),
      backends: () =>
        gateway.backends().map(({ name, state, restarts, catalogue }) => ({
          name,
          state,
          restarts,
          tools: catalogue?.tools.length ?? 0,
        })),
      eventsDropped: () => events.dropped(),
      outbox: forwarding.outbox,
      parts: () => parts(),
    },
  });
  const { observers, metrics, tracer } = observation;
  const tooOften = toolLimits(() => presets.config.limits.tools);
  const changesNothing = readOnly('gateway');
  const callEvents: CallEvents = {
    record(fact, context) {
      if (presets.config.events.calls) events.record(fact, context);
    },
    durable: () => events.durable?.(),
  };
  const callPath = createCallPath(callEvents, {
    observers: [...observers, ...kept.observers, { begins: (callable) => bridge.observer.begins(callable) }],
    limit(callable, principal) {
      // Lists leave such tools out; this holds for whoever calls without looking at one.
      const refused = presets.config.gateway.readOnly ? changesNothing(callable) : undefined;
      if (refused) throw refused;
      tooOften(callable, principal);
    },
    unforeseen: (thrown, { traceId, tool }) =>
      log?.write('error', `${tool ?? 'A request'} failed unexpectedly`, {
        trace_id: traceId,
        error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      }),
  });
  const base = () => presets.config.server.publicUrl?.replace(/\/$/, '') ?? url?.replace(/\/mcp$/, '');
  const logins = await openLogins({ store, events, url: base });
  loginSecrets = logins.secrets;
  const embedder = createEmbedder();
  const toolVectors = join(cacheDirectory(options.env), 'tools.vectors');
  const gateway = await createGateway(
    {
      store,
      events,
      callPath,
      tracer,
      environment: loaded.env,
      serverInfo,
      redact,
      publicLookup,
      signIn: logins,
      meanings: createToolMeanings(embedder, toolVectors),
    },
    await gatewaySettings.read(),
  );

  // One change after the other: each sees what the one before has left.
  let changes: Promise<unknown> = Promise.resolve();
  function reconfigure(change: () => void | Promise<void>): ReturnType<typeof gateway.configure> {
    const mine = changes.then(change).then(async () => gateway.configure(await gatewaySettings.read()));
    changes = mine.catch(() => {});
    return mine;
  }

  const admin = createServerAdmin({ gateway, events, servers: store.servers, config, reconfigure });
  const catalogues = nodeCatalogues({
    ...options,
    config,
    file: () => loaded.file,
    instances: () => n8n.names(),
    isStarting: (name) => n8n.isStarting(name),
  });
  const n8n = createN8n({
    home: options.home,
    config,
    startsLocal: options.withN8n === true,
    keepsLocal: () => bridgesLocal(store.settings),
    localChanged: () => bridge.configure(),
    records: ownRecords(store.settings),
    addSources: gateway.addSources,
    catalogues,
    watch: { events, redact, onReady: catalogues.found },
    log: log && { write: log.write, isDetailed: () => level() === 'debug' },
  });
  const bridge = createBridgeHost({
    home: options.home,
    config,
    instances: n8n.instances,
    names: n8n.names,
    isLocal: n8n.isLocal,
    settings: store.settings,
    events,
    redact,
    addSources: gateway.addSources,
    // Only the bridge's belong to a group.
    servers: () =>
      Object.entries(gateway.settings().servers).flatMap(([name, { group }]) => (group === undefined ? [name] : [])),
    reconfigure: () => reconfigure(() => {}),
    sharedPath: () => {
      const { toolsSharedPath: path } = loaded.environment;
      return path === undefined ? undefined : resolve(options.cwd, path);
    },
    urls: () => [base(), url?.replace(/\/mcp$/, '')].flatMap((one) => one ?? []),
    async reread(servers) {
      for (const backend of servers.flatMap((name) => gateway.backend(name) ?? []))
        if (backend.state === 'RUNNING') backend.offer.refresh(['tools']);
        else await backend.lanes.restart();
    },
    failing: () =>
      gateway
        .backends()
        .filter(({ state }) => state === 'FAILED' || state === 'DEGRADED')
        .map(({ name }) => name),
  });
  bridged = bridge.servers;
  const storeIs = storeHealth(events, storeFile, startedAt);
  const parts = (): Health[] => [
    configuration.health(),
    storeIs(),
    ...eventHealth({ ...kept.status(), ...forwarding.report(), ...watching.report() }),
    ...n8n.health(),
    ...bridge.health(n8n.isReached),
    ...catalogues.health(),
  ];
  n8nSecrets = () => [...n8n.secrets(), ...bridge.secrets()];
  const statusDeps = {
    gateway,
    version,
    startedAt,
    notConfigured: () => [...presets.unavailable, ...n8n.unavailable()],
    parts,
    sessions: () => sessions(),
    url: () => url,
    eventLog: () => ({ ...kept.status(), ...forwarding.report(), ...watching.report() }),
    signInLink(backend: Backend, principal: Principal) {
      const target = signInTarget(backend.name, backend.settings);
      const waits = backend.lanes.all().some((lane) => lane.waitsForLogin);
      return target && waits ? logins.link(target, principal) : undefined;
    },
  };
  const vectors = meaningVectors(cacheDirectory(options.env));
  const meaning = createMeaning({ embedder, vectors, missing: catalogues.complete });
  const ownParts = [
    gatewayPart({ ...statusDeps, ...admin, store: forReaders }),
    nodesPart({ catalogues, options: n8n.optionValues, meaning }),
    loginPart(logins),
    ...(metrics ? [metrics] : []),
  ];
  gateway.addSources(ownParts.flatMap((part) => part.sources));
  await n8n.configure();
  await bridge.open();

  const configured = await gateway.configure(await gatewaySettings.read());
  const settled = Promise.all([configured.settled, bridge.begin()]).then(() => {});
  void settled.then(() => {
    isSettled = true;
  });
  if (log) void settled.then(() => warnOfExposed(log, options.home, loaded));

  return {
    gateway,
    n8n,
    bridge,
    catalogues,
    store,
    events,
    routes: [...ownParts.flatMap((part) => part.routes), ...kept.routes, ...bridge.routes],
    eventFeed: kept.feed,
    endStreams: kept.endStreams,
    rest: { gateway, callPath },
    config,
    loaded: () => loaded,
    redact,
    log,
    metrics,
    settled,
    isSettled: () => isSettled,
    status: () => readStatus(statusDeps),
    notConfigured: statusDeps.notConfigured,
    countSessions(count: () => number): void {
      sessions = count;
    },
    url: () => url?.replace(/\/mcp$/, ''),
    servedAt(address: string): void {
      url = address;
      void bridge.servedAt(address.replace(/\/mcp$/, '')).catch(() => {});
    },
    /** Takes another configuration over; what was running and did not change goes on. */
    async reload(next: Loaded): Promise<void> {
      const nextPresets = await applyPresets(next.config, next.env, options.cwd);
      const sections = changedSections(presets.config, nextPresets.config);
      // Those that are replaced now are secrets all the same.
      redact('');
      const { diff } = await reconfigure(() => {
        loaded = next;
        presets = nextPresets;
      });
      await n8n.configure();
      // Nobody waits for an n8n that does not answer.
      void bridge.begin();
      await kept.configure(next.config.events);
      await connectEvents(next.config.events);
      configuration.taken(next.file);
      events.record({ type: 'gateway.config_reloaded', ...diff, sections });
    },
    /** A changed configuration is wrong: what runs goes on as it is. */
    rejected(error: unknown): void {
      const problems = problemLines(error).map(redact);
      configuration.rejected(problems);
      events.record({ type: 'gateway.config_rejected', problems });
    },
    async [Symbol.asyncDispose]() {
      // From the last to the first; whatever fails to end, the others do, so that the last events are stored.
      await using ending = new AsyncDisposableStack();
      ending.use(log);
      ending.use(observation);
      ending.use(store);
      ending.use(kept);
      ending.use(forwarding);
      ending.use(events);
      ending.use(watching);
      ending.use(logins);
      ending.use(catalogues);
      ending.use(embedder);
      ending.use(meaning);
      ending.use(gateway);
      ending.use(bridge);
      ending.use(n8n);
    },
  };
}

async function makeHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const what = isFile ? 'is a file, not a directory' : fileTrouble(error);
    const message = `The data directory ${home} ${what}. Set SLUICE_HOME to a directory that this user may write to.`;
    throw new AppError('invalid_input', message, { cause: error });
  }
}

/** Which parts of the file are different now: their names only, for values may be secret. */
function changedSections(before: Config, after: Config): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof Config)[]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

export function load({ file, cwd, env, home }: RuntimeOptions): Promise<Loaded> {
  return loadConfig({ cwd, env, home, ...(file !== undefined && { file }) });
}

/** The same for commands that cannot go on without it: every problem is in the error. */
export async function loadOrFail(options: RuntimeOptions): Promise<Loaded> {
  try {
    return await load(options);
  } catch (error) {
    throw error instanceof ConfigError ? new AppError('invalid_input', formatProblems(error)) : error;
  }
}
