import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** How much it offers as one answer: more than fits into a string of JavaScript. */
const OFFERED = 640 * 1024 * 1024;
const PIECE = Buffer.alloc(1024 * 1024, 'x');

type Protocol = 'http' | 'redis' | 'postgres' | 'mongodb' | 'bolt';

/** Services that are away until one of them is armed: then it begins one answer and never stops. */
export interface Giant extends AsyncDisposable {
  readonly ports: { readonly [N in GiantName]: number };
  /** Only this one answers from now on, or none. */
  arm(name: GiantName | undefined): void;
  /** How many bytes of its largest answer were read, since it was armed; undefined if nobody asked it anything. */
  taken(): number | undefined;
}

/** Each part that connects to a service, by the protocol that its driver speaks. */
const protocols = {
  redis: 'redis',
  postgres: 'postgres',
  pgvector: 'postgres',
  mongodb: 'mongodb',
  docker: 'http',
  rabbitmq: 'http',
  prometheus: 'http',
  qdrant: 'http',
  traefik: 'http',
  vault: 'http',
  dify: 'http',
  openhands: 'http',
  openrouter: 'http',
  github: 'http',
  uptimekuma: 'http',
  n8n: 'http',
  neo4j: 'bolt',
} as const satisfies Record<string, Protocol>;

export type GiantName = keyof typeof protocols;

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const little = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};

/** What comes before the endless part. Undefined: the client has to say more first. */
const beginnings: { readonly [P in Protocol]: (said: Buffer, turn: number) => readonly Buffer[] | undefined } = {
  http: (said) => [
    upgraded(said) ??
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"x":"'),
  ],
  redis: () => [Buffer.from(`$${OFFERED}\r\n`)],
  // Without a password and ready at once; the answer to the first statement is one row.
  postgres: (_, turn) => (turn === 0 ? undefined : [Buffer.from('D'), int32(OFFERED)]),
  // The pieces are its chunks, too: each begins with a length of two bytes, and only a length of zero ends a message.
  bolt: (_, turn) => (turn === 0 ? undefined : [Buffer.alloc(0)]),
  mongodb: (said) => [little(OFFERED), little(1), said.subarray(4, 8), little(2013), little(0), Buffer.from([0])],
};

/** The beginning of one text frame, if it asks for a WebSocket. */
function upgraded(said: Buffer): Buffer | undefined {
  const key = /^sec-websocket-key: (\S+)/im.exec(said.toString('latin1'))?.[1];
  if (key === undefined) return undefined;
  const accept = hash('sha1', `${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64');
  const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from([0x81, 127]), int32(0), int32(OFFERED)]);
}

/** Bolt 5.0. */
const BOLT_GREETING = Buffer.from([0, 0, 0, 5]);

const SSL_REQUEST = 80_877_103;

/** What a PostgreSQL says before there is a statement. */
function postgresGreeting(said: Buffer): Buffer {
  if (said.length === 8 && said.readInt32BE(4) === SSL_REQUEST) return Buffer.from('N');
  return Buffer.concat([Buffer.from('R'), int32(8), int32(0), Buffer.from('Z'), int32(5), Buffer.from('I')]);
}

export async function startGiant(): Promise<Giant> {
  await using stack = new AsyncDisposableStack();
  let taken: number | undefined;
  let armed: GiantName | undefined;
  const ports: Partial<Record<GiantName, number>> = {};
  for (const [name, protocol] of Object.entries(protocols) as [GiantName, Protocol][]) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      let turn = 0;
      let isPouring = false;
      socket.on('data', (said) => {
        if (isPouring) return;
        if (armed !== name) return void socket.destroy();
        const beginning = beginnings[protocol](said, turn);
        if (!beginning) {
          const greeting = protocol === 'bolt' ? BOLT_GREETING : postgresGreeting(said);
          if (greeting.length > 1) turn++;
          socket.write(greeting);
          return;
        }
        isPouring = true;
        taken ??= 0;
        for (const bytes of beginning) socket.write(bytes);
        void pour(socket, name);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stack.defer(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    ports[name] = (server.address() as AddressInfo).port;
  }

  async function pour(socket: Socket, name: GiantName): Promise<void> {
    const closed = new Promise<void>((resolve) => void socket.once('close', resolve));
    for (let offered = 0; offered < OFFERED && socket.writable; offered += PIECE.length) {
      const written = new Promise((resolve) => void socket.write(PIECE, resolve));
      await Promise.race([written, closed]);
      if (socket.writable && armed === name) taken = Math.max(taken ?? 0, offered);
    }
    socket.end();
  }

  const owned = stack.move();
  return {
    ports: ports as Record<GiantName, number>,
    arm(name) {
      armed = name;
      taken = undefined;
    },
    taken: () => taken,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
