import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openLogins } from './backend-login.ts';
import { ConfigError, type Env, formatProblems, type Loaded, loadConfig } from './config/load.ts';
import { applyPresets } from './config/presets.ts';
import type { Config } from './config/schema.ts';
import { secretsOf } from './config/secrets.ts';
import { serverSchema } from './config/server-entry.ts';
import { assertPublicUrl, publicLookup } from './config/url-guard.ts';
import { sourceName } from './config/source-name.ts';
import { createForwarding } from './events/forwarding.ts';
import { keepEvents } from './events/keeping.ts';
import { createWatching } from './events/watching.ts';
import type { Backend } from './gateway/backend.ts';
import { readOnly } from './gateway/exposure.ts';
import { createGateway, type GatewaySettings } from './gateway/gateway.ts';
import { gatewayPart } from './gateway/part.ts';
import type { BackendSettings } from './gateway/settings.ts';
import { readStatus } from './gateway/status.ts';
import type { ServerAdmin } from './gateway/tools/servers.ts';
import { signInTarget } from './gateway/sign-in.ts';
import { createCallPath } from './kernel/call.ts';
import { AppError, messageOf } from './kernel/errors.ts';
import type { EventLog } from './kernel/events.ts';
import type { Principal } from './kernel/principal.ts';
import { toolLimits } from './kernel/tool-limits.ts';
import { createRedactor } from './kernel/redact.ts';
import { createN8n } from './n8n-instances.ts';
import { openObservation, openServerLog, warnOfExposed } from './observation.ts';
import { loginPart } from './login/routes.ts';
import { createEventLog } from './store/event-log.ts';
import { openSqlite } from './store/sqlite.ts';
import { logged } from './telemetry/log.ts';
import { version } from './version.ts';

export interface RuntimeOptions {
  home: string;
  cwd: string;
  env: Env;
  file?: string;
  expose?: 'flat' | 'compact' | 'search';
  /** How the log is written; without it there is none. */
  log?: { pretty: boolean; colour: boolean };
}

export type Runtime = Awaited<ReturnType<typeof startRuntime>>;

/** Everything behind the wire, put together: configuration, store, events, gateway, our own tools. */
export async function startRuntime(options: RuntimeOptions, first?: Loaded) {
  let loaded = first ?? (await load(options));
  let presets = await applyPresets(loaded.config, loaded.env, options.cwd);
  await mkdir(options.home, { recursive: true, mode: 0o700 });
  const store = await openSqlite(join(options.home, 'sluice.db'));
  let addedSecrets: string[] = [];
  let loginSecrets = (): string[] => [];
  let n8nSecrets = (): string[] => [];
  const redact = createRedactor(() => [...loaded.secrets, ...addedSecrets, ...loginSecrets(), ...n8nSecrets()]);
  const level = () => presets.config.logLevel;
  const log = options.log && openServerLog({ ...options.log, level, redact });
  const stored = createEventLog(store.events);
  let isSettled = false;
  const startIsTold = () => options.log?.pretty === true && !isSettled;
  const events = log ? logged(stored, log, { level, startIsTold }) : stored;
  const kept = keepEvents(
    { store, log: events, redact, keepFrom: () => store.outbox.keepFrom() },
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

  async function gatewaySettings(): Promise<GatewaySettings> {
    const { mcpServers, toolsets, gateway } = presets.config;
    const added: Record<string, BackendSettings> = {};
    const stored = await store.servers.list();
    addedSecrets = secretsOf({ dotenv: {}, used: [], env: {}, tree: stored });
    for (const { name, config } of stored) {
      const parsed = serverSchema.safeParse(config);
      // On a clash the file wins; an entry that no longer fits is left alone, not lost.
      if (parsed.success && !Object.hasOwn(mcpServers, name))
        added[name] = { ...parsed.data, allowInternal: gateway.allowInternalUrls };
    }
    const expose = options.expose ?? gateway.expose;
    return {
      servers: { ...mcpServers, ...added },
      toolsets,
      routes: gateway.routes,
      startConcurrency: gateway.startConcurrency,
      readOnly: gateway.readOnly,
      ...(expose && { expose }),
    };
  }

  const observation = await openObservation({
    env: loaded.env,
    home: options.home,
    config: () => presets.config,
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
    },
  });
  const { observers, metrics, tracer } = observation;
  const tooOften = toolLimits(() => presets.config.limits.tools);
  const changesNothing = readOnly('gateway');
  const callEvents: EventLog = {
    record(fact, context) {
      if (presets.config.events.calls) events.record(fact, context);
    },
    durable: () => events.durable?.(),
  };
  const callPath = createCallPath(callEvents, {
    observers: [...observers, ...kept.observers],
    limit(callable, principal) {
      // Lists leave such tools out; this holds for whoever calls without looking at one.
      const refused = presets.config.gateway.readOnly ? changesNothing(callable) : undefined;
      if (refused) throw refused;
      tooOften(callable, principal);
    },
  });
  const base = () => presets.config.server.publicUrl?.replace(/\/$/, '') ?? url?.replace(/\/mcp$/, '');
  const logins = await openLogins({ store, events, url: base });
  loginSecrets = logins.secrets;
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
    },
    await gatewaySettings(),
  );

  // One change after the other: each sees what the one before has left.
  let changes: Promise<unknown> = Promise.resolve();
  function afterOthers<T>(change: () => Promise<T>): Promise<T> {
    const mine = changes.then(change);
    changes = mine.catch(() => {});
    return mine;
  }

  const admin: ServerAdmin = {
    gateway,
    events,
    async add(name, entry, by) {
      const named = sourceName.safeParse(name);
      const parsed = serverSchema.safeParse(entry);
      if (!named.success)
        throw new AppError('invalid_input', `The name ${name} will not do: ${named.error.issues[0]?.message}.`);
      if (!parsed.success)
        throw new AppError(
          'invalid_input',
          `The server was not added: ${parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ')}.`,
        );
      const { allowCommands, allowInternalUrls } = presets.config.gateway;
      if (parsed.data.transport.kind === 'stdio') {
        if (!allowCommands)
          throw new AppError(
            'forbidden',
            'A tool call may not add a server that runs a command. Add it to mcpServers in the file, or set gateway.allowCommands.',
          );
      } else if (!allowInternalUrls) await assertPublicUrl(parsed.data.transport.url);
      const { settled } = await afterOthers(async () => {
        const taken = Object.hasOwn(presets.config.mcpServers, name);
        if (taken || gateway.registry.sources().some(({ id }) => id === name))
          throw new AppError(
            'conflict',
            `There is already a source named ${name}. Choose another name, or remove it first.`,
          );
        await store.servers.put(name, entry, by);
        return gateway.configure(await gatewaySettings());
      });
      await settled;
    },
    async remove(name) {
      if (Object.hasOwn(presets.config.mcpServers, name))
        throw new AppError(
          'conflict',
          `${name} is in the configuration file; remove it there, and it is gone at once.`,
        );
      await afterOthers(async () => {
        await store.servers.delete(name);
        return gateway.configure(await gatewaySettings());
      });
    },
  };
  const n8n = createN8n({ home: options.home, config: () => presets.config, addSources: gateway.addSources });
  n8nSecrets = n8n.secrets;
  const statusDeps = {
    gateway,
    version,
    startedAt,
    notConfigured: () => [...presets.unavailable, ...n8n.unavailable()],
    sessions: () => sessions(),
    url: () => url,
    eventLog: () => ({ ...kept.status(), ...forwarding.report(), ...watching.report() }),
    signInLink(backend: Backend, principal: Principal) {
      const target = signInTarget(backend.name, backend.settings);
      const waits = backend.lanes.all().some((lane) => lane.waitsForLogin);
      return target && waits ? logins.link(target, principal) : undefined;
    },
  };
  const parts = [gatewayPart({ ...statusDeps, ...admin, store }), loginPart(logins), ...(metrics ? [metrics] : [])];
  gateway.addSources(parts.flatMap((part) => part.sources));
  await n8n.configure();

  const { settled } = await gateway.configure(await gatewaySettings());
  void settled.then(() => {
    isSettled = true;
  });
  if (log) void settled.then(() => warnOfExposed(log, options.home, loaded));

  return {
    gateway,
    n8n,
    store,
    events,
    routes: [...parts.flatMap((part) => part.routes), ...kept.routes],
    eventFeed: kept.feed,
    endStreams: kept.endStreams,
    rest: { gateway, callPath },
    config: () => presets.config,
    loaded: () => loaded,
    redact,
    log,
    metrics,
    settled,
    isSettled: () => isSettled,
    status: () => readStatus(statusDeps),
    countSessions(count: () => number): void {
      sessions = count;
    },
    url: () => url?.replace(/\/mcp$/, ''),
    servedAt(address: string): void {
      url = address;
    },
    /** Takes another configuration over; what was running and did not change goes on. */
    async reload(next: Loaded): Promise<void> {
      const nextPresets = await applyPresets(next.config, next.env, options.cwd);
      const sections = changedSections(presets.config, nextPresets.config);
      const { diff } = await afterOthers(async () => {
        loaded = next;
        presets = nextPresets;
        return gateway.configure(await gatewaySettings());
      });
      await n8n.configure();
      await kept.configure(next.config.events);
      await connectEvents(next.config.events);
      events.record({ type: 'gateway.config_reloaded', ...diff, sections });
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      logins[Symbol.dispose]();
      await watching[Symbol.asyncDispose]();
      try {
        await events[Symbol.asyncDispose]();
      } catch (error) {
        process.emitWarning(`The last events could not be stored: ${messageOf(error)}`);
      }
      await forwarding[Symbol.asyncDispose]();
      await kept[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await observation[Symbol.asyncDispose]();
      log?.[Symbol.dispose]();
    },
  };
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
