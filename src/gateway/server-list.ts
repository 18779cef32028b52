import { type Claim, sameSource, takerOf } from '../host/config/claims.ts';
import { secretsOf } from '../host/config/secrets.ts';
import type { Absent } from '../kernel/health.ts';
import type { Servers } from '../store/store.ts';
import type { Presets } from './config/presets.ts';
import { serverSchema } from './config/server-entry.ts';
import type { GatewayConfig } from './config/settings.ts';
import type { GatewaySettings } from './gateway.ts';
import type { BackendSettings } from './settings.ts';

/** All servers: of the file and of presets, added while Sluice runs, and brought by parts. */
export function createServerList(options: {
  servers: Servers;
  config(): GatewayConfig;
  presets(): Presets;
  claims(): readonly Claim[];
  /** The timeout from the environment, for added servers that set none; undefined if the environment has none. */
  timeout(): number | undefined;
}) {
  const groups = new Map<string, () => Readonly<Record<string, BackendSettings>>>();
  let secrets: string[] = [];
  let displaced: readonly Absent[] = [];
  let addedNames: ReadonlySet<string> = new Set();

  /** A name may have become ours after a server was added under it. Only a server of the file gets such a name. */
  function displacer(name: string): Claim | undefined {
    const claims = options.claims();
    const own = claims.find((claim) => claim.yields && sameSource(claim.name) === sameSource(name));
    return own && !takerOf(name, claims) ? own : undefined;
  }

  return {
    /** Secrets of the added servers. */
    secrets: () => secrets,
    /** Whether a tool call added this server. */
    isAdded: (name: string): boolean => addedNames.has(name),
    /** The added servers that are not started because their name is ours. */
    displaced: () => displaced,
    /** Adds the servers that a part brings, for example endpoints in n8n. */
    add: (group: string, brought: () => Readonly<Record<string, BackendSettings>>) => void groups.set(group, brought),
    async read(): Promise<GatewaySettings> {
      const { toolsets, gateway, limits } = options.config();
      const named = options.presets().servers;
      const added: Record<string, BackendSettings> = {};
      const stored = await options.servers.list();
      const timeout = options.timeout();
      const patience = timeout === undefined ? {} : { timeout: `${timeout}ms`, callTimeout: `${timeout}ms` };
      secrets = secretsOf({ dotenv: {}, used: [], env: {}, tree: stored });
      displaced = stored.flatMap(({ name }) => {
        const owner = displacer(name)?.owner;
        if (owner === undefined) return [];
        const reason = `The server that was added under this name is not started: ${owner} have the name. Move it to mcpServers in the file, which takes the name, or switch ours off there.`;
        return [{ name, reason }];
      });
      for (const { name, config } of stored) {
        if (displacer(name)) continue;
        const parsed = serverSchema.safeParse({ ...patience, ...(config as object) });
        // On a clash the file wins. An added entry that no longer parses is skipped, not deleted.
        if (parsed.success && !Object.hasOwn(named, name))
          added[name] = { ...parsed.data, allowInternal: gateway.allowInternalUrls };
      }
      addedNames = new Set(Object.keys(added));
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
