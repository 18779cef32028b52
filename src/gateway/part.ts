import type { Part } from '../kernel/part.ts';
import type { Store } from '../store/store.ts';
import { createOwnSource } from '../kernel/own-source.ts';
import type { StatusDeps } from './status.ts';
import { statusRoute } from './status-route.ts';
import { gatewayStatusTool } from './tools/gateway-status.ts';
import { gatewayUsage } from './tools/gateway-usage.ts';
import { getEvents } from './tools/get-events.ts';
import { acceptTools, addServer, removeServer, restartServer, type ServerAdmin } from './tools/servers.ts';

type Deps = StatusDeps & ServerAdmin & { store: Store };

/** What the gateway brings of its own: tools to see and change it, and its status by URL. */
export function gatewayPart(deps: Deps): Part {
  const tools = [gatewayStatusTool, gatewayUsage, getEvents, addServer, removeServer, restartServer, acceptTools];
  const description = 'the gateway itself: its status, its events, its servers';
  return {
    name: 'gateway',
    sources: [createOwnSource<Deps>({ id: 'gateway', exposure: 'flat', description, tools, deps })],
    routes: [statusRoute(deps)],
  };
}
