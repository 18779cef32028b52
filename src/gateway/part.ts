import { embedderPart } from '../embedder/part.ts';
import { eventsPart } from '../events/part.ts';
import { part } from '../host/part.ts';
import { callFacts } from '../kernel/call-facts.ts';
import { loginPart } from '../login/part.ts';
import { telemetryPart } from '../telemetry/part.ts';
import { serverProblems, sourceClaims, spareServers } from './config/file.ts';
import { completePresets } from './config/presets.ts';
import { gatewaySettings } from './config/settings.ts';
import { timeoutFills } from './config/timeout.ts';
import { gatewayFacts } from './facts.ts';
import { gatewayMigrations } from './migrations.ts';
import type { GatewayApi } from './open.ts';
import type { BackendSettings } from './settings.ts';

const uses = { telemetry: telemetryPart, events: eventsPart, login: loginPart, embedder: embedderPart };
const facts = { ...callFacts, ...gatewayFacts };

/** Many MCP servers as one; the path of every call. */
export const gatewayPart = part<GatewayApi, typeof gatewaySettings, typeof uses, typeof facts>({
  uses,
  settings: gatewaySettings,
  facts,
  migrations: gatewayMigrations,
  beside: {
    file: 'external-mcp.json',
    section: 'mcpServers',
    load: async () => (await import('./import/external.ts')).externalServers,
  },
  prepare: completePresets,
  spare: spareServers,
  environment: (file, { env }) => timeoutFills(file, env),
  claims: sourceClaims,
  problems: serverProblems,
  anchor: ({ mcpServers, presets, ...rest }, resolve) => ({
    ...rest,
    mcpServers: mapValues(mcpServers, (server) => anchored(server, resolve)),
    presets: mapValues(presets, (preset) => preset && { ...preset, ...anchored(preset, resolve) }),
  }),
  tools: async () => (await import('./own-source.ts')).gatewayTools,
  pages: [
    {
      path: 'servers',
      title: 'Servers',
      scope: 'health:check',
      module: 'gateway/pages/servers.tsx',
      order: 20,
      key: 's',
    },
    {
      path: 'usage',
      title: 'Usage',
      scope: 'health:check',
      module: 'gateway/pages/usage.tsx',
      order: 90,
      key: 'u',
    },
    { path: 'tools', title: 'Tools', scope: 'tools:read', module: 'gateway/pages/tools.tsx', order: 30, key: 't' },
  ],
  commands: {
    status: {
      summary: 'Shows how the running gateway and its servers are doing',
      load: async (place) => (await import('./commands/status.ts')).statusCommand(place),
    },
    tools: {
      summary: 'Lists the tools of all servers',
      load: async (place) => (await import('./commands/tools.ts')).toolsCommand(place),
    },
    call: {
      summary: 'Calls a tool and prints the result',
      load: async (place) => (await import('./commands/call.ts')).callCommand(place),
    },
    usage: {
      summary: 'Shows which tools are used most, are slowest, and fail most',
      load: async (place) => (await import('./commands/usage.ts')).usageCommand(place),
    },
    login: {
      summary: 'Signs in to a server that needs a login (OAuth)',
      load: async (place) => (await import('./commands/login.ts')).loginCommand(place),
    },
  },
  open: async (host, used) => (await import('./open.ts')).openGateway(host, used),
});

function anchored<S extends BackendSettings>(server: S, resolve: (path: string) => string): S {
  const { transport, allowedPaths } = server;
  return {
    ...server,
    ...(transport.kind === 'stdio' &&
      transport.cwd !== undefined && { transport: { ...transport, cwd: resolve(transport.cwd) } }),
    ...(allowedPaths && {
      allowedPaths: allowedPaths.map((rule) => ({ ...rule, directories: rule.directories.map(resolve) })),
    }),
  };
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
