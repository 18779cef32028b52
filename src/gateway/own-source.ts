import { createOwnSource } from '../kernel/own-source.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { Store } from '../store/store.ts';
import type { StatusDeps } from './status/status.ts';
import { gatewayStatusTool } from './tools/gateway-status.ts';
import { gatewayUsage } from './tools/gateway-usage.ts';
import { getEvents } from './tools/get-events.ts';
import { acceptTools, addServer, removeServer, restartServer, type ServerAdmin } from './tools/servers.ts';

export type OwnDeps = StatusDeps & ServerAdmin & { store: Store };

export const gatewayTools = [
  gatewayStatusTool,
  gatewayUsage,
  getEvents,
  addServer,
  removeServer,
  restartServer,
  acceptTools,
];

/** Tools that show and change the gateway itself. */
export const gatewaySource = (deps: OwnDeps): ToolSource =>
  createOwnSource<OwnDeps>({
    id: 'gateway',
    exposure: 'flat',
    description: 'the gateway itself: its status, its events, its servers',
    tools: gatewayTools,
    deps,
  });
