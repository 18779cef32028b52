import type { Config } from './host/config/schema.ts';
import { secretsOf } from './host/config/secrets.ts';
import { serverSchema } from './gateway/config/server-entry.ts';
import type { GatewaySettings } from './gateway/gateway.ts';
import type { BackendSettings } from './gateway/settings.ts';
import type { Servers } from './store/store.ts';

/** The gateway's settings: what the file says, and the servers that were added while running. */
export function createGatewaySettings(options: {
  servers: Servers;
  config(): Config;
  /** How long a server may take that says nothing of it; undefined where the environment does not say either. */
  timeout(): number | undefined;
  /** What the command line says, which comes before the file. */
  expose: GatewaySettings['expose'];
  /** What the bridge brings: endpoints in n8n. */
  bridged(): Readonly<Record<string, BackendSettings>>;
}) {
  let secrets: string[] = [];

  return {
    /** Those of the added servers. */
    secrets: () => secrets,
    async read(): Promise<GatewaySettings> {
      const { mcpServers, toolsets, gateway, limits } = options.config();
      const added: Record<string, BackendSettings> = {};
      const stored = await options.servers.list();
      const timeout = options.timeout();
      const patience = timeout === undefined ? {} : { timeout: `${timeout}ms`, callTimeout: `${timeout}ms` };
      secrets = secretsOf({ dotenv: {}, used: [], env: {}, tree: stored });
      for (const { name, config } of stored) {
        const parsed = serverSchema.safeParse({ ...patience, ...(config as object) });
        // On a clash the file wins; an entry that no longer fits is left alone, not lost.
        if (parsed.success && !Object.hasOwn(mcpServers, name))
          added[name] = { ...parsed.data, allowInternal: gateway.allowInternalUrls };
      }
      const expose = options.expose ?? gateway.expose;
      const servers = { ...mcpServers, ...added };
      const bridged = Object.entries(options.bridged()).filter(([name]) => !Object.hasOwn(servers, name));
      return {
        servers: { ...servers, ...Object.fromEntries(bridged) },
        toolsets,
        routes: gateway.routes,
        startConcurrency: gateway.startConcurrency,
        connections: limits.connections,
        readOnly: gateway.readOnly,
        ...(expose && { expose }),
      };
    },
  };
}
