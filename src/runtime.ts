import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Env, formatProblems, type Loaded, loadConfig } from './config/load.ts';
import { applyPresets } from './config/presets.ts';
import { secretsOf } from './config/secrets.ts';
import { serverSchema } from './config/server-entry.ts';
import { assertPublicUrl, publicLookup } from './config/url-guard.ts';
import { sourceName } from './config/source-name.ts';
import { createGateway, type GatewaySettings } from './gateway/gateway.ts';
import { gatewayPart } from './gateway/part.ts';
import type { BackendSettings } from './gateway/settings.ts';
import { readStatus } from './gateway/status.ts';
import type { ServerAdmin } from './gateway/tools/servers.ts';
import { createCallPath } from './kernel/call.ts';
import { AppError, messageOf } from './kernel/errors.ts';
import { createRedactor } from './kernel/redact.ts';
import { createEventLog } from './store/event-log.ts';
import { openSqlite } from './store/sqlite.ts';
import { version } from './version.ts';

export interface RuntimeOptions {
  home: string;
  cwd: string;
  env: Env;
  file?: string;
  expose?: 'flat' | 'compact' | 'search';
}

export type Runtime = Awaited<ReturnType<typeof startRuntime>>;

/** Everything behind the wire, put together: configuration, store, events, gateway, our own tools. */
export async function startRuntime(options: RuntimeOptions, first?: Loaded) {
  let loaded = first ?? (await load(options));
  let presets = await applyPresets(loaded.config, loaded.env, options.cwd);
  await mkdir(options.home, { recursive: true, mode: 0o700 });
  const store = await openSqlite(join(options.home, 'sluice.db'));
  const events = createEventLog(store.events);
  let addedSecrets: string[] = [];
  const redact = createRedactor(() => [...loaded.secrets, ...addedSecrets]);
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
      ...(expose && { expose }),
    };
  }

  const gateway = await createGateway(
    { store, events, callPath: createCallPath(events), environment: loaded.env, serverInfo, redact, publicLookup },
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
  const statusDeps = {
    gateway,
    version,
    startedAt,
    notConfigured: () => presets.unavailable,
    sessions: () => sessions(),
    url: () => url,
  };
  const parts = [gatewayPart({ ...statusDeps, ...admin, store })];
  gateway.addSources(parts.flatMap((part) => part.sources));

  const { settled } = await gateway.configure(await gatewaySettings());
  let isSettled = false;
  void settled.then(() => {
    isSettled = true;
  });

  return {
    gateway,
    store,
    events,
    routes: parts.flatMap((part) => part.routes),
    config: () => presets.config,
    loaded: () => loaded,
    redact,
    settled,
    isSettled: () => isSettled,
    status: () => readStatus(statusDeps),
    countSessions(count: () => number): void {
      sessions = count;
    },
    servedAt(address: string): void {
      url = address;
    },
    /** Takes another configuration over; what was running and did not change goes on. */
    async reload(next: Loaded): Promise<void> {
      const nextPresets = await applyPresets(next.config, next.env, options.cwd);
      const { diff } = await afterOthers(async () => {
        loaded = next;
        presets = nextPresets;
        return gateway.configure(await gatewaySettings());
      });
      events.record({ type: 'gateway.config_reloaded', ...diff });
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      try {
        await events[Symbol.asyncDispose]();
      } catch (error) {
        process.emitWarning(`The last events could not be stored: ${messageOf(error)}`);
      }
      await store[Symbol.asyncDispose]();
    },
  };
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
