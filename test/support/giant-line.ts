/** A line to a server on loopback that gives an answer without an end, when it is told to. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What stands in place of an answer: its beginning, and what is repeated after it. */
export interface Giant {
  readonly begin: (answer: Buffer) => Buffer;
  readonly repeat: Buffer;
  /** Whether it stands in place of this one. Default: of each. */
  readonly replaces?: (answer: Buffer) => boolean;
}

/** Ends when it is disposed of. */
export interface Flood extends Disposable {
  /** How many bytes the first client got before it closed its connection. */
  readonly sent: Promise<number>;
}

export interface GiantLine extends AsyncDisposable {
  readonly port: number;
  /** Replaces all answers. */
  flood(giant: Giant): Flood;
}

export async function giantLineTo(port: number): Promise<GiantLine> {
  const sockets = new Set<Socket>();
  let armed: { readonly giant: Giant; readonly ended: (sent: number) => void } | undefined;

  function pour(near: Socket, begin: Buffer, repeat: Buffer, ended: (sent: number) => void): void {
    let sent = begin.length;
    const more = () => {
      for (let room = true; room && !near.destroyed; sent += repeat.length) room = near.write(repeat);
    };
    near.once('close', () => ended(sent));
    near.on('drain', more).write(begin);
    more();
  }

  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
    near.on('data', (data) => far.write(data));
    const pass = (data: Buffer) => {
      if (!armed || armed.giant.replaces?.(data) === false) return void near.write(data);
      const { giant, ended } = armed;
      far.off('data', pass).resume();
      pour(near, giant.begin(data), giant.repeat, ended);
    };
    far.on('data', pass);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    flood(giant) {
      const { promise: sent, resolve: ended } = Promise.withResolvers<number>();
      armed = { giant, ended };
      return {
        sent,
        [Symbol.dispose]() {
          armed = undefined;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
