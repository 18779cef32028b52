/** A TCP line on loopback that a test can cut and mend. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutLine extends AsyncDisposable {
  readonly port: number;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** Keeps connections open and passes nothing on, as a network does that drops packets. */
  freeze(): void;
  mend(): void;
}

export async function lineTo(port: number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'frozen' = 'whole';
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (data) => state === 'whole' && other.write(data));
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
    if (state === 'cut') near.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut';
      endAll();
    },
    freeze() {
      state = 'frozen';
    },
    mend() {
      if (state === 'frozen') endAll();
      state = 'whole';
    },
    async [Symbol.asyncDispose]() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
