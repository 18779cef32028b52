import { describe, expect, it } from 'vitest';
import type { Service } from '../wire/service.ts';
import { startServer } from './server.ts';

function serve(host: string, auth: string) {
  return startServer({
    // Refused before anybody could ask it anything.
    service: {} as Service,
    version: '0.0.0',
    port: 0,
    ready: () => true,
    status: () => ({ backends: [], tools: 0 }),
    routes: [],
    settings: () => ({ host, auth, allowedHosts: [], allowedOrigins: [] }),
  });
}

describe('what is not served', () => {
  it.each(['0.0.0.0', '192.0.2.1', '::'])('%s without authentication', async (host) => {
    await expect(serve(host, 'none')).rejects.toThrow(`Refusing to serve ${host} without authentication`);
  });

  // An owner who asked for authentication must not get a gateway that lets everybody in.
  it.each(['keys', 'oauth', 'both'])('authentication by %s, which does not exist yet', async (mode) => {
    await expect(serve('127.0.0.1', mode)).rejects.toThrow(`auth.mode ${mode} is not available yet`);
  });
});
