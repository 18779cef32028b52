import { describe, expect, it } from 'vitest';
import type { Service } from '../wire/service.ts';
import { startServer } from './server.ts';

function serve(host: string) {
  return startServer({
    // The server refuses to start before anything could call it.
    service: {} as Service,
    rest: {} as Parameters<typeof startServer>[0]['rest'],
    version: '0.0.0',
    port: 0,
    ready: () => true,
    routes: [],
    guard: {
      settings: () => ({ host, open: true, allowedHosts: [], allowedOrigins: [], trustProxy: false }),
      authenticators: () => [],
      resource: () => '',
      challenge: () => 'Bearer',
      refused: () => {},
      count: () => undefined,
    },
  });
}

describe('does not serve', () => {
  it.each(['0.0.0.0', '192.0.2.1', '::'])('%s without authentication', async (host) => {
    await expect(serve(host)).rejects.toThrow(`Refusing to serve ${host} without authentication`);
  });
});
