import { randomUUID } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { localOwner } from '../kernel/principal.ts';
import type { Service } from '../wire/service.ts';
import { serveStream } from '../wire/stream.ts';

/** A socket to the gateway that already runs for this home, if one does. */
export function attach(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

/** Lets other commands of the same user in. Undefined when another gateway of this home has the socket. */
export async function openAttachment(path: string, service: Service): Promise<AsyncDisposable | undefined> {
  const other = await attach(path);
  if (other) {
    other.destroy();
    return undefined;
  }
  await rm(path, { force: true });
  const open = new Set<{ close(): void; socket: Socket }>();
  const server = createServer((socket) => {
    const served = serveStream({
      input: socket,
      output: socket,
      service,
      principal: localOwner,
      view: {},
      id: randomUUID(),
    });
    const entry = { close: served.close, socket };
    open.add(entry);
    void served.closed.then(() => {
      open.delete(entry);
      socket.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      for (const { close, socket } of open) {
        close();
        socket.destroySoon();
      }
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(path, { force: true });
    },
  };
}
