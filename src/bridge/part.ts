import { resolve } from 'node:path';
import { gatewayPart } from '../gateway/part.ts';
import { ownSource } from '../host/config/claims.ts';
import { duration } from '../host/config/duration.ts';
import { type Fill, listIn } from '../host/config/fill.ts';
import { valueAt } from '../host/config/schema-problems.ts';
import type { Tree } from '../host/config/tree.ts';
import { type Env, part } from '../host/part.ts';
import { n8nPart } from '../n8n/part.ts';
import type { BridgeApi } from './open.ts';
import { bridgeFacts } from './facts.ts';
import { bridgeSettings, discoveryMethods } from './settings.ts';

const uses = { gateway: gatewayPart, n8n: n8nPart };

/** n8n's AI tools and workflows as MCP tools. */
export const bridgePart = part<BridgeApi, typeof bridgeSettings, typeof uses, typeof bridgeFacts>({
  uses,
  settings: bridgeSettings,
  facts: bridgeFacts,
  environment: (file, { env, cwd }) => bridgeFills(file, env, cwd),
  claims: (file) => [
    ownSource('bridge'),
    ownSource('run'),
    ...(valueAt(file, ['bridge', 'sharedFile']) === undefined ? [] : [ownSource('shared')]),
  ],
  anchor: ({ bridge }, from) => ({
    bridge: { ...bridge, ...(bridge.sharedFile !== undefined && { sharedFile: from(bridge.sharedFile) }) },
  }),
  tools: async () => (await import('./tools/tools.ts')).bridgeTools,
  pages: [
    {
      path: 'bridge',
      title: 'Bridge',
      scope: 'bridge:read',
      source: 'bridge',
      module: 'bridge/pages/bridge.tsx',
      order: 55,
      key: 'i',
      kinds: ['bridge'],
    },
  ],
  commands: {
    bridge: {
      summary: "Turns n8n's AI tools and workflows into MCP tools",
      load: async (place) => (await import('./commands/bridge.ts')).bridgeCommand(place),
    },
    'n8n hook': {
      summary: 'Writes the file with which your n8n tells Sluice about changes',
      load: async (place) => (await import('./commands/hook.ts')).hookCommand(place),
    },
    'n8n run': {
      summary: 'Runs it in the foreground, until a signal',
      load: async (place) => (await import('./commands/run-n8n.ts')).runN8nCommand(place),
    },
  },
  open: async (host, used) => (await import('./open.ts')).openBridge(host, used),
});

/** Settings of the bridge that come from environment variables. */
function bridgeFills(file: Tree, env: Env, cwd: string): Fill[] {
  const { TOOLS_SHARED_PATH: path, SLUICE_BRIDGE_APPLY: apply, SLUICE_BRIDGE_AI_TOOLS: workflows } = env;
  return [
    ...(path ? [{ variable: 'TOOLS_SHARED_PATH', path: ['bridge', 'sharedFile'], value: resolve(cwd, path) }] : []),
    ...(apply
      ? [
          {
            variable: 'SLUICE_BRIDGE_APPLY',
            path: ['bridge', 'apply'],
            value: apply,
            problem: noneOf(apply, ['auto', 'ask']),
          },
        ]
      : []),
    ...(workflows
      ? [{ variable: 'SLUICE_BRIDGE_AI_TOOLS', path: ['bridge', 'tools', 'workflows'], value: listIn(workflows) }]
      : []),
    ...discoveryFills(file, env),
  ];
}

function discoveryFills(file: Tree, env: Env): Fill[] {
  const method = env.SLUICE_BRIDGE_DISCOVERY?.trim();
  const refreshInterval = env.SLUICE_BRIDGE_POLL?.trim();
  const path = ['bridge', 'discovery'];
  const interval = { variable: 'SLUICE_BRIDGE_POLL', path: [...path, 'refreshInterval'], value: refreshInterval };
  // An interval of the file wins, under either of its names.
  const isPollInFile = valueAt(file, ['bridge', 'poll']) !== undefined;
  return [
    ...(method
      ? [
          {
            variable: 'SLUICE_BRIDGE_DISCOVERY',
            path: [...path, 'method'],
            value: method,
            problem: noneOf(method, discoveryMethods),
          },
        ]
      : []),
    ...(refreshInterval && !isPollInFile ? [{ ...interval, problem: noDuration(refreshInterval) }] : []),
  ];
}

const noDuration = (given: string) =>
  duration.safeParse(given).success
    ? undefined
    : { message: 'is not a duration of at most 24h', fix: 'Set it to a duration, such as 30s or 5m, or unset it.' };

const noneOf = (given: string, allowed: readonly string[]) =>
  allowed.includes(given)
    ? undefined
    : { message: `is none of ${allowed.join(', ')}`, fix: `Set it to one of these, or unset it.` };
