import { join } from 'node:path';
import type { Embedding } from '../embedder/part.ts';
import type { EventsApi } from '../events/open.ts';
import type { Gauge } from '../host/gauge.ts';
import type { OpenPart } from '../host/part.ts';
import { lateWaiting } from '../host/waiting.ts';
import type { ReplicaReport } from '../kernel/shared.ts';
import { createCallPath } from '../kernel/call.ts';
import type { CallEvents } from '../kernel/call-facts.ts';
import { late } from '../kernel/late.ts';
import { toolLimits } from '../kernel/tool-limits.ts';
import type { Login } from '../login/part.ts';
import type { Telemetry } from '../telemetry/open.ts';
import { publicLookup } from '../wire/url-guard.ts';
import type { Backend } from './backends/backend.ts';
import { createDesk } from './confirmations/desk.ts';
import { applyPresets } from './config/presets.ts';
import type { GatewayConfig } from './config/settings.ts';
import { serverTimeout } from './config/timeout.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { gatewaySource } from './own-source.ts';
import type { GatewayHost } from './config/settings.ts';
import { createServerAdmin } from './server-admin.ts';
import { createServerList } from './server-list.ts';
import { serverRoutes, type ServerAnswers } from './servers/routes.ts';
import type { BackendSettings } from './settings.ts';
import { signInTarget } from './backends/sign-in.ts';
import { createCallMinutes } from './status/call-minutes.ts';
import { callMinutesRoute } from './status/call-minutes-route.ts';
import { overallOf } from './status/overall.ts';
import { type GatewayStatus, readStatus, type StatusDeps } from './status/status.ts';
import { statusRoute } from './status/status-route.ts';
import { usageRoute } from './status/usage-route.ts';
import type { ToolMeanings } from './exposure/tool-meanings.ts';

export interface GatewayApi extends Gateway {
  /** The gateway's keys of the file. */
  config(): GatewayConfig;
  status(): GatewayStatus;
  /** How this replica is doing, for the others. Cheap: it is read with each heartbeat. */
  report(): ReplicaReport;
  /** Adds the servers that a part brings to those of the file. `reconfigure` reads them again. */
  serve(group: string, servers: () => Readonly<Record<string, BackendSettings>>): void;
  /** Queues a change, then brings the servers in line. Settles when every new server has tried to start once. */
  reconfigure(change?: () => void | Promise<void>): ReturnType<Gateway['configure']>;
}

interface Used {
  readonly telemetry: Telemetry;
  readonly events: EventsApi;
  readonly login: Login;
  readonly embedder: Embedding;
}

export async function openGateway(host: GatewayHost, used: Used): Promise<OpenPart<GatewayApi>> {
  const { store, shared, events, redact, version, startedAt, all } = host;
  const config = host.settings;
  const minutes = createCallMinutes(store.tables);
  const desk = createDesk({
    tables: store.tables,
    shared,
    redact,
    url: () => host.url().outside ?? host.url().here,
  });
  const callPath = createCallPath(callEvents(host, used.events), {
    shared: host.shared,
    desk,
    observers: all.observers,
    limit: toolLimits(() => config().limits.tools, host.shared.count),
    redact,
    unforeseen: (thrown, { traceId, tool }) =>
      host.log?.write('error', `${tool ?? 'A request'} failed unexpectedly`, {
        trace_id: traceId,
        error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      }),
  });
  const readPresets = () => applyPresets(config(), { claims: all.claims(), env: host.env, cwd: host.cwd });
  let presets = await readPresets();
  const list = createServerList({
    servers: store.servers,
    config,
    presets: () => presets,
    claims: all.claims,
    timeout: () => serverTimeout(host.env),
  });
  const gateway = await createGateway(
    {
      store,
      events,
      callPath,
      tracer: used.telemetry.tracer,
      environment: { ...host.env },
      serverInfo: { name: 'sluice', title: 'Sluice', version },
      redact,
      publicLookup,
      signIn: used.login,
      meanings: lateMeanings(used.embedder, join(host.cache, 'tools.vectors')),
    },
    await list.read(),
  );

  // Run changes one after the other: each sees the result of the one before.
  let changes: Promise<unknown> = Promise.resolve();
  function reconfigure(
    change: () => void | Promise<void> = () => {},
    removed?: string,
  ): ReturnType<Gateway['configure']> {
    // A replica that only follows a removal, or whose file alone lacks the server, deletes nothing that others use.
    const forgets = shared.peers && ((name: string) => name === removed);
    const mine = changes.then(change).then(async () => gateway.configure(await list.read(), forgets));
    changes = mine.catch(() => {});
    return mine;
  }

  let started: Promise<void> = Promise.resolve();
  let following: AsyncDisposable | undefined;
  const admin = createServerAdmin({
    gateway,
    events,
    servers: store.servers,
    named: () => presets.servers,
    may: () => config().gateway,
    reconfigure,
  });
  const statusDeps: StatusDeps = {
    gateway,
    version,
    startedAt,
    notConfigured: all.absent,
    parts: all.health,
    sessions: host.sessions,
    url() {
      const { here } = host.url();
      return here && `${here}/mcp`;
    },
    replicas: await replicaStatus(host),
    eventLog: used.events.status,
    signInLink(backend, principal) {
      const target = signInTarget(backend.name, backend.settings);
      const waits = backend.lanes.all().some((lane) => lane.waitsForLogin);
      return target && waits ? used.login.current()?.link(target, principal) : undefined;
    },
  };

  const signInLinks = late(async () => {
    const { createSignInLinks } = await import('./status/sign-in-links.ts');
    return createSignInLinks((backend, principal) => statusDeps.signInLink?.(backend, principal));
  });

  const answers = late(async (): Promise<ServerAnswers> => {
    const [{ createServerAnswers }, link] = await Promise.all([import('./servers/answers.ts'), signInLinks()]);
    return createServerAnswers({
      gateway,
      store,
      redact,
      link,
      removable: admin.removable,
      allowsCommands: () => config().gateway.allowCommands,
      originOf(name) {
        if (Object.hasOwn(config().mcpServers, name)) return 'file';
        if (Object.hasOwn(presets.servers, name)) return 'preset';
        return list.isAdded(name) ? 'added' : 'part';
      },
    });
  });

  return {
    api: {
      ...gateway,
      config,
      status: () => readStatus(statusDeps),
      report() {
        const backends = gateway.backends().map((backend) => {
          const { name, lastError } = backend;
          return { name, lastError, state: backend.state, urls: backend.urls() };
        });
        const { state, problems } = overallOf(backends, all.health());
        return {
          state: host.isSettled() ? state : 'starting',
          problems: problems.slice(0, MOST_REPORTED),
          sessions: host.sessions(),
          tools: gateway.registry.all().length,
        };
      },
      serve: list.add,
      reconfigure: (change) => reconfigure(change),
    },
    sources: [gatewaySource({ ...statusDeps, ...admin, store })],
    routes: [statusRoute(statusDeps), callMinutesRoute(minutes), usageRoute(store), ...serverRoutes(answers)],
    observers: [minutes.observer],
    waiting: new Map([
      [
        'servers',
        lateWaiting(async () => {
          const [{ gatewayWaiting }, link] = await Promise.all([import('./waiting-room.ts'), signInLinks()]);
          return gatewayWaiting({ gateway, stopping: host.stopping, link });
        }),
      ],
      [
        'confirmations',
        lateWaiting(async () => {
          const { confirmationsRoom } = await import('./confirmations/room.ts');
          return confirmationsRoom({ desk, events, find: gateway.registry.find, redact });
        }),
      ],
    ]),
    secrets: list.secrets,
    absent: () => [...presets.unavailable, ...list.displaced()],
    gauges: () => backendGauges(gateway.backends()),
    check: async () => (await import('./checks.ts')).serverChecks(gateway, presets.servers),
    async begin() {
      gateway.addSources(all.sources());
      await used.events.usePresets(presets.events);
      ({ settled: started } = await reconfigure());
      if (!shared.peers) return;
      const { followReplicas } = await import('./follow-replicas.ts');
      following = followReplicas({ shared, store, gateway, reconfigure: () => reconfigure() });
    },
    settled: () => started,
    async reload() {
      presets = await readPresets();
      await used.events.usePresets(presets.events);
      return (await reconfigure()).diff;
    },
    async [Symbol.asyncDispose]() {
      await following?.[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
      await minutes[Symbol.asyncDispose]();
    },
  };
}

/** Problems of one replica that the others are told about. */
const MOST_REPORTED = 20;

async function replicaStatus({ shared: { peers } }: GatewayHost): Promise<StatusDeps['replicas']> {
  if (!peers) return undefined;
  const { readReplicas } = await import('./status/replicas.ts');
  return (own) => readReplicas(peers.all(), own);
}

/** The events of calls, unless the owner has switched them off. */
function callEvents({ events }: GatewayHost, { recordsCalls }: EventsApi): CallEvents {
  return {
    record(fact, context) {
      if (recordsCalls()) events.record(fact, context);
    },
    durable: () => events.durable?.(),
  };
}

const states = ['STOPPED', 'STARTING', 'RUNNING', 'DEGRADED', 'FAILED'] as const;

function backendGauges(backends: readonly Backend[]): Gauge[] {
  const each = (read: (backend: Backend) => number) =>
    backends.map((backend) => ({ value: read(backend), labels: { backend: backend.name } }));
  return [
    {
      name: 'sluice_backend_state',
      help: '1 for the current state of a server',
      type: 'gauge',
      values: backends.flatMap(({ name, state }) =>
        states.map((one) => ({ value: Number(one === state), labels: { backend: name, state: one } })),
      ),
    },
    {
      name: 'sluice_backend_restarts_total',
      help: 'Restarts of a server',
      type: 'counter',
      values: each(({ restarts }) => restarts),
    },
    {
      name: 'sluice_backend_tools',
      help: 'Tools a server offers',
      type: 'gauge',
      values: each(({ catalogue }) => catalogue?.tools.length ?? 0),
    },
  ];
}

/** Loaded with the first wish. */
function lateMeanings(embedder: Embedding, file: string): ToolMeanings {
  const meanings = late(async () => {
    const [{ createToolMeanings }, loaded] = await Promise.all([
      import('./exposure/tool-meanings.ts'),
      embedder.load(),
    ]);
    return createToolMeanings(loaded, file);
  });
  return {
    alike: async (...asked) => (await meanings()).alike(...asked),
    prepare: async (texts) => (await meanings()).prepare(texts),
  };
}
