import type { AddressInfo, ListenOptions, Server } from 'node:net';

/** Settles when a server listens; what Node says against it goes through `why`. `listen` was called when this returns. */
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
