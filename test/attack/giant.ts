import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** How much it offers as one answer: more than fits into a string of JavaScript. */
const OFFERED = 640 * 1024 * 1024;
const PIECE = Buffer.alloc(1024 * 1024, 'x');

type Protocol = 'http' | 'redis' | 'postgres' | 'mongodb';

/** Services that begin one answer and never stop, each in the protocol of a driver. */
export interface Giant extends AsyncDisposable {
  readonly ports: { readonly [P in Protocol]: number };
  /** How many bytes of its largest answer were read, since the last `forget`. */
  taken(): number;
  forget(): void;
}

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const little = (value: number) => int32(value).reverse();

/** What comes before the endless part. Undefined: the client has to say more first. */
const beginnings: { readonly [P in Protocol]: (said: Buffer, turn: number) => readonly Buffer[] | undefined } = {
  http: () => [Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"x":"')],
  redis: () => [Buffer.from(`$${OFFERED}\r\n`)],
  // Without a password and ready at once; the answer to the first statement is one row.
  postgres: (_, turn) => (turn === 0 ? undefined : [Buffer.from('D'), int32(OFFERED)]),
  mongodb: (said) => [little(OFFERED), little(1), said.subarray(4, 8), little(2013), little(0), Buffer.from([0])],
};

const SSL_REQUEST = 80_877_103;

/** What a PostgreSQL says before there is a statement. */
function postgresGreeting(said: Buffer): Buffer {
  if (said.length === 8 && said.readInt32BE(4) === SSL_REQUEST) return Buffer.from('N');
  return Buffer.concat([Buffer.from('R'), int32(8), int32(0), Buffer.from('Z'), int32(5), Buffer.from('I')]);
}

export async function startGiant(): Promise<Giant> {
  await using stack = new AsyncDisposableStack();
  let taken = 0;
  const ports: Partial<Record<Protocol, number>> = {};
  for (const protocol of Object.keys(beginnings) as Protocol[]) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      let turn = 0;
      let isPouring = false;
      socket.on('data', (said) => {
        if (isPouring) return;
        const beginning = beginnings[protocol](said, turn);
        if (!beginning) {
          const greeting = postgresGreeting(said);
          if (greeting.length > 1) turn++;
          socket.write(greeting);
          return;
        }
        isPouring = true;
        for (const bytes of beginning) socket.write(bytes);
        void pour(socket);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stack.defer(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    ports[protocol] = (server.address() as AddressInfo).port;
  }

  async function pour(socket: Socket): Promise<void> {
    for (let offered = 0; offered < OFFERED && socket.writable; offered += PIECE.length) {
      const isRoom = socket.write(PIECE);
      if (!isRoom) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
      if (socket.writable) taken = Math.max(taken, offered);
    }
    socket.end();
  }

  const owned = stack.move();
  return {
    ports: ports as Record<Protocol, number>,
    taken: () => taken,
    forget() {
      taken = 0;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
