import { randomUUID } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { localOwner } from '../kernel/principal.ts';
import type { Exposure } from '../kernel/source.ts';
import type { Service, View } from '../wire/service.ts';
import { serveStream } from '../wire/stream.ts';

/** A socket to the gateway that already runs for this home, if one does. What follows on it is MCP, line by line. */
export function attach(path: string, expose?: Exposure): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      if (expose !== undefined) socket.write(`${JSON.stringify({ sluice: { expose } })}\n`);
      resolve(socket);
    });
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
  const open = new Map<Socket, (() => void) | undefined>();
  const server = createServer((socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => {});
    void greeting(socket).then((view) => {
      if (!view) return;
      const streams = { input: socket, output: socket };
      const served = serveStream({ ...streams, service, principal: localOwner, view, id: randomUUID() });
      open.set(socket, served.close);
      void served.closed.then(() => socket.end());
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      for (const [socket, close] of open) {
        close?.();
        socket.destroySoon();
      }
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(path, { force: true });
    },
  };
}

const LONGEST_GREETING = 1024;

/**
 * What the first line asks to see; undefined when the client has gone before it said anything.
 * A client that knows nothing of greetings begins with MCP at once.
 */
function greeting(socket: Socket): Promise<View | undefined> {
  return new Promise((resolve) => {
    let seen = Buffer.alloc(0);
    const gone = () => resolve(undefined);
    const read = () => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        seen = Buffer.concat([seen, chunk]);
      }
      const end = seen.indexOf(10);
      if (end === -1 && seen.length < LONGEST_GREETING) return;
      const view = end === -1 ? undefined : viewIn(seen.toString('utf8', 0, end));
      socket.off('readable', read);
      socket.off('close', gone);
      const rest = view ? seen.subarray(end + 1) : seen;
      if (rest.length > 0) socket.unshift(rest);
      resolve(view ?? {});
    };
    socket.on('readable', read);
    socket.once('close', gone);
  });
}

function viewIn(line: string): View | undefined {
  const expose = /^\{"sluice":\{"expose":"(flat|compact|search)"\}\}$/.exec(line)?.[1];
  return expose === undefined ? undefined : { expose: expose as Exposure };
}
