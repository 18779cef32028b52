import { randomUUID } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { localOwner } from '../kernel/principal.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Exposure } from '../kernel/source.ts';
import type { Service, View } from '../wire/service.ts';
import { serveStream } from '../wire/stream.ts';
import { listen } from './listen.ts';
import { tryLock } from './process-lock.ts';
import { assertOwnSocket, makeSocketPlace } from './socket-place.ts';

/**
 * Connects to the gateway that already runs for this home, if there is one. MCP follows on the socket, line by line.
 */
export function attach(path: string, { expose, toolset }: View = {}): Promise<Socket | undefined> {
  const wish = { ...(expose && { expose }), ...(toolset !== undefined && { toolset }) };
  return greet(path, Object.keys(wish).length === 0 ? undefined : wish);
}

/** The same for events: the events that `wish` asks for follow, line by line. */
export function attachEvents(path: string, wish: object): Promise<Socket | undefined> {
  return greet(path, { events: wish });
}

/** The same for `doctor`: the gateway's checks of itself follow. */
export function attachDoctor(path: string): Promise<Socket | undefined> {
  return greet(path, { doctor: {} });
}

async function greet(path: string, wish: object | undefined): Promise<Socket | undefined> {
  await assertOwnSocket(path);
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      if (wish !== undefined) socket.write(`${JSON.stringify({ sluice: wish })}\n`);
      resolve(socket);
    });
    socket.once('error', () => resolve(undefined));
  });
}

/** Each socket is a client of its own; all belong to the same user. */
const MOST_ATTACHED = 256;

/** Lines for a command that asked for events or checks instead of MCP. */
export type Feed = (wish: unknown, signal: AbortSignal) => AsyncIterable<string>;

export interface Feeds {
  readonly events?: Feed;
  readonly doctor?: Feed;
}

export interface Attachment extends AsyncDisposable {
  /** Whether this gateway receives commands; false while another gateway of this home does. */
  isOurs(): boolean;
}

const LOOK_MS = 500;

/**
 * Accepts connections from other commands of the same user. While another gateway of this home does that, this one
 * waits, and takes over when the other has ended.
 */
export async function openAttachment(path: string, service: Service, feeds: Feeds = {}): Promise<Attachment> {
  await makeSocketPlace(path);
  let taken = await take(path, service, feeds);
  let taking: Promise<void> | undefined;
  const look = async () => {
    taken = await take(path, service, feeds).catch(() => undefined);
    if (taken) clearInterval(timer);
    taking = undefined;
  };
  const timer = taken
    ? undefined
    : setInterval(() => {
        taking ??= look();
      }, LOOK_MS).unref();
  return {
    isOurs: () => taken !== undefined,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await taking;
      await taken?.[Symbol.asyncDispose]();
    },
  };
}

/** Undefined if another gateway has the socket. The lock lets only one of several waiting gateways through. */
async function take(path: string, service: Service, feeds: Feeds = {}): Promise<AsyncDisposable | undefined> {
  await using stack = new AsyncDisposableStack();
  const lock = await tryLock(`${path}.lock`);
  if (!lock) return undefined;
  stack.use(lock);
  // A gateway of an older version, which does not know the lock, may have the socket.
  const other = await attach(path);
  if (other) {
    other.destroy();
    return undefined;
  }
  await rm(path, { force: true });
  stack.use(await serveAt(path, service, feeds));
  const owned = stack.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function serveAt(path: string, service: Service, feeds: Feeds = {}): Promise<AsyncDisposable> {
  const open = new Map<Socket, (() => void) | undefined>();
  const server = createServer((socket) => {
    if (open.size >= MOST_ATTACHED) return void socket.destroy();
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => {});
    void greeting(socket).then((wish) => {
      if (!wish) return;
      if ('feed' in wish) {
        const gone = new AbortController();
        open.set(socket, () => gone.abort());
        socket.once('close', () => gone.abort());
        // Nothing more is expected from the client, but only a reading socket notices that the other side closed.
        socket.resume();
        void send(socket, feeds[wish.feed]?.(wish.wish, gone.signal) ?? []);
        return;
      }
      const { view } = wish;
      const streams = { input: socket, output: socket };
      const served = serveStream({ ...streams, service, principal: localOwner, view, id: randomUUID() });
      open.set(socket, served.close);
      void served.closed.then(() => socket.end());
    });
  });
  await listen(server, { path });
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

/** Sends the lines as fast as the other side reads them. An error becomes the last line. */
async function send(socket: Socket, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  try {
    for await (const line of lines) {
      if (!socket.write(line) && !socket.destroyed)
        await new Promise<void>((resolve) => {
          socket.once('drain', resolve);
          socket.once('close', resolve);
        });
      if (socket.destroyed) return;
    }
  } catch (error) {
    socket.write(`${JSON.stringify({ error: messageOf(error) })}\n`);
  }
  socket.end();
}

const LONGEST_GREETING = 8192;

type Wish = { view: View } | { feed: keyof Feeds; wish: unknown };

/**
 * What the first line asks for; undefined if the client disconnects before sending anything. A client that does not
 * know greetings starts with MCP at once.
 */
function greeting(socket: Socket): Promise<Wish | undefined> {
  return new Promise((resolve) => {
    let seen = Buffer.alloc(0);
    const gone = () => resolve(undefined);
    const read = () => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        seen = Buffer.concat([seen, chunk]);
      }
      const end = seen.indexOf(10);
      if (end === -1 && seen.length < LONGEST_GREETING) return;
      const wish = end === -1 ? undefined : wishIn(seen.toString('utf8', 0, end));
      socket.off('readable', read);
      socket.off('close', gone);
      const rest = wish ? seen.subarray(end + 1) : seen;
      if (rest.length > 0) socket.unshift(rest);
      resolve(wish ?? { view: {} });
    };
    socket.on('readable', read);
    socket.once('close', gone);
  });
}

function wishIn(line: string): Wish | undefined {
  const viewed = /^\{"sluice":\{(?:"expose":"(flat|compact|search)",?)?(?:"toolset":"([\w-]+)")?\}\}$/.exec(line);
  if (viewed) {
    const [, expose, toolset] = viewed;
    return {
      view: { ...(expose !== undefined && { expose: expose as Exposure }), ...(toolset !== undefined && { toolset }) },
    };
  }
  const feed = /^\{"sluice":\{"(events|doctor)":/.exec(line)?.[1] as keyof Feeds | undefined;
  if (feed === undefined) return undefined;
  try {
    return { feed, wish: (JSON.parse(line) as { sluice: Record<keyof Feeds, unknown> }).sluice[feed] };
  } catch {
    return undefined;
  }
}
