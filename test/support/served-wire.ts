import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Principal } from '../../src/kernel/principal.ts';
import { createAllowances, type OpenLimits } from '../../src/wire/allowance.ts';
import { createHttpEndpoint, type HttpOptions } from '../../src/wire/http.ts';
import type { TestGateway } from '../integration/harness.ts';

const USER = 'x-test-user';

/** The header that says which user a request belongs to. */
export const as = (user: string): Record<string, string> => ({ [USER]: user });

export interface Served extends AsyncDisposable {
  readonly mcp: string;
  readonly url: string;
  sessions(): number;
}

/**
 * The wire of a gateway once more, on its own port, with features that the gateway's own server does not offer yet:
 * several users, told apart by a header, and other timeouts for keep-alives and idle sessions.
 */
export async function serve(
  { runtime }: Pick<TestGateway, 'runtime'>,
  options: Omit<HttpOptions, 'service' | 'admit'> & {
    people?: Record<string, Partial<Principal>>;
    limits?: OpenLimits;
  } = {},
): Promise<Served> {
  const { people = {}, limits, ...times } = options;
  const endpoint = createHttpEndpoint({
    ...(limits && { allowances: createAllowances({ limits: () => limits }) }),
    ...times,
    service: runtime.apis.gateway.service,
    admit({ headers }) {
      const id = String(headers[USER] ?? 'somebody');
      return { id, scopes: 'all', ...people[id] };
    },
  });
  const server = createServer((request, response) => {
    if (!endpoint.handle(request, response)) response.writeHead(404).end();
  });
  server.on('upgrade', endpoint.upgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    mcp: `${url}/mcp`,
    sessions: () => endpoint.sessions(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      await endpoint[Symbol.asyncDispose]();
      server.closeAllConnections();
      await closed;
    },
  };
}
