import type { Part } from '../kernel/part.ts';
import type { Store } from '../store/store.ts';
import { createOwnSource } from './own-source.ts';
import { readStatus, type StatusDeps } from './status.ts';
import { gatewayStatusTool } from './tools/gateway-status.ts';
import { getEvents } from './tools/get-events.ts';
import { acceptTools, addServer, removeServer, restartServer, type ServerAdmin } from './tools/servers.ts';

/** What the gateway brings of its own: tools to see and change it, and its status by URL. */
export function gatewayPart(deps: { status: StatusDeps; admin: ServerAdmin; store: Store }): Part {
  return {
    name: 'gateway',
    sources: [
      createOwnSource({ id: 'gateway', exposure: 'flat', tools: [gatewayStatusTool], deps: deps.status }),
      createOwnSource({ id: 'events', exposure: 'flat', tools: [getEvents], deps: { store: deps.store } }),
      createOwnSource({
        id: 'servers',
        exposure: 'flat',
        tools: [addServer, removeServer, restartServer, acceptTools],
        deps: deps.admin,
      }),
    ],
    routes: [{ path: '/api/v1/status', get: () => readStatus(deps.status) }],
  };
}
