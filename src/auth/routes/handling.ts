import type { RouteRequest } from '../../kernel/route.ts';
import { endClient, listClients } from './clients.ts';
import { endKey, listKeys, makeKey } from './keys.ts';
import type { AuthRoutesDeps } from './deps.ts';

const fresh =
  (work: (deps: AuthRoutesDeps, asked: RouteRequest) => Promise<object>) =>
  async (deps: AuthRoutesDeps, asked: RouteRequest): Promise<Response> =>
    Response.json(await work(deps, asked), { headers: { 'cache-control': 'no-store' } });

export const handling = {
  keys: fresh(listKeys),
  makeKey: fresh(makeKey),
  endKey: fresh(endKey),
  clients: fresh(listClients),
  endClient: fresh(endClient),
};
