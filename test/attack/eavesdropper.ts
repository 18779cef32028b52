import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Somebody on the line to one replica: keeps what was said, and passes it on, unless told to hold or change it. */
export interface Eavesdropper extends AsyncDisposable {
  readonly url: string;
  /** The bytes of each connection, as the other replicas sent them. */
  readonly heard: readonly Buffer[];
  /** Until it is told to pass, connections on which something comes are held, and stay so: replicas keep theirs open. */
  hold(isHolding: boolean): void;
  /** Where that replica is, once it is known. */
  leadTo(url: string): void;
  /** From now on this is done to what is passed on, until the result is disposed. */
  meddle(change: (text: string) => string): Disposable;
}

export async function startEavesdropper(): Promise<Eavesdropper> {
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  let target: URL | undefined;
  let changed: ((text: string) => string) | undefined;
  let isHolding = false;
  const server = createServer((from) => {
    const at = heard.push(Buffer.alloc(0)) - 1;
    let isHeld = false;
    const to = connect(Number(target?.port), target?.hostname ?? '127.0.0.1');
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    from.on('data', (bytes) => {
      heard[at] = Buffer.concat([heard[at] as Buffer, bytes]);
      isHeld ||= isHolding;
      if (!isHeld) to.write(changed ? Buffer.from(changed(bytes.toString('latin1')), 'latin1') : bytes);
    });
    from.on('end', () => isHeld || to.end());
    to.pipe(from);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    hold(wanted) {
      isHolding = wanted;
    },
    leadTo(url) {
      target = new URL(url);
    },
    meddle(change) {
      changed = change;
      return {
        [Symbol.dispose]() {
          changed = undefined;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
