import type { AddressInfo, ListenOptions, Server } from 'node:net';

/** Resolves when the server listens. `why` converts Node's error. `listen` has been called when this returns. */
export function listen(
  server: Server,
  where: ListenOptions,
  why: (error: NodeJS.ErrnoException) => Error = (error) => error,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(why(error)));
    server.listen(where, resolve);
  });
}

/** The port of a server that listens on one. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
