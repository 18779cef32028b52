import { secretsOf } from '../host/config/secrets.ts';
import type { Servers } from '../store/store.ts';
import type { Presets } from './config/presets.ts';
import { serverSchema } from './config/server-entry.ts';
import type { GatewayConfig } from './config/settings.ts';
import type { GatewaySettings } from './gateway.ts';
import type { BackendSettings } from './settings.ts';

/** Which servers there are: those of the file and of presets, those added while running, those that a part brings. */
export function createServerList(options: {
  servers: Servers;
  config(): GatewayConfig;
  presets(): Presets;
  /** How long a server may take that says nothing of it; undefined where the environment does not say either. */
  timeout(): number | undefined;
}) {
  const groups = new Map<string, () => Readonly<Record<string, BackendSettings>>>();
  let secrets: string[] = [];

  return {
    /** Those of the added servers. */
    secrets: () => secrets,
    /** Also the servers of a part of ours: endpoints in n8n, for one. */
    add: (group: string, brought: () => Readonly<Record<string, BackendSettings>>) => void groups.set(group, brought),
    async read(): Promise<GatewaySettings> {
      const { toolsets, gateway, limits } = options.config();
      const named = options.presets().servers;
      const added: Record<string, BackendSettings> = {};
      const stored = await options.servers.list();
      const timeout = options.timeout();
      const patience = timeout === undefined ? {} : { timeout: `${timeout}ms`, callTimeout: `${timeout}ms` };
      secrets = secretsOf({ dotenv: {}, used: [], env: {}, tree: stored });
      for (const { name, config } of stored) {
        const parsed = serverSchema.safeParse({ ...patience, ...(config as object) });
        // On a clash the file wins; an entry that no longer fits is left alone, not lost.
        if (parsed.success && !Object.hasOwn(named, name))
          added[name] = { ...parsed.data, allowInternal: gateway.allowInternalUrls };
      }
      const servers = { ...named, ...added };
      for (const brought of groups.values())
        for (const [name, server] of Object.entries(brought()))
          if (!Object.hasOwn(servers, name)) servers[name] = server;
      return {
        servers,
        toolsets,
        routes: gateway.routes,
        startConcurrency: gateway.startConcurrency,
        connections: limits.connections,
        readOnly: gateway.readOnly,
        ...(gateway.expose && { expose: gateway.expose }),
      };
    },
  };
}
