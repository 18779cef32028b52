import { resolve } from 'node:path';
import { gatewayPart } from '../gateway/part.ts';
import { ownSource } from '../host/config/claims.ts';
import type { Fill } from '../host/config/fill.ts';
import { type Env, part } from '../host/part.ts';
import { n8nPart } from '../n8n/part.ts';
import type { BridgeApi } from './open.ts';
import { bridgeFacts } from './facts.ts';
import { bridgeSettings } from './settings.ts';

const uses = { gateway: gatewayPart, n8n: n8nPart };

/** n8n's AI tools and workflows as MCP tools. */
export const bridgePart = part<BridgeApi, typeof bridgeSettings, typeof uses, typeof bridgeFacts>({
  uses,
  settings: bridgeSettings,
  facts: bridgeFacts,
  environment: (_, { env, cwd }) => bridgeFills(env, cwd),
  claims: () => [ownSource('bridge'), ownSource('run')],
  anchor: ({ bridge }, from) => ({
    bridge: { ...bridge, ...(bridge.sharedFile !== undefined && { sharedFile: from(bridge.sharedFile) }) },
  }),
  tools: async () => (await import('./tools/tools.ts')).bridgeTools,
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

function bridgeFills({ TOOLS_SHARED_PATH: path, SLUICE_BRIDGE_APPLY: apply }: Env, cwd: string): Fill[] {
  const problem = { message: 'is neither ask nor auto', fix: 'Set it to auto, or unset it.' };
  return [
    ...(path ? [{ variable: 'TOOLS_SHARED_PATH', path: ['bridge', 'sharedFile'], value: resolve(cwd, path) }] : []),
    ...(apply
      ? [
          {
            variable: 'SLUICE_BRIDGE_APPLY',
            path: ['bridge', 'apply'],
            value: apply,
            problem: apply === 'auto' || apply === 'ask' ? undefined : problem,
          },
        ]
      : []),
  ];
}
