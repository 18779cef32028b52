import type { IncomingMessage, RequestListener, Server as HttpServer, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { listen, portOf } from '../host/listen.ts';
import { AppError } from '../kernel/errors.ts';
import { http } from '../kernel/node-http.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import { reachableUrl } from '../kernel/reachable-url.ts';

/** How long the request on a new connection may take to arrive. */
const ARRIVING_MS = 100;

/** Takes over a socket for WebSocket. `head` holds what arrived after the request. */
type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** A bound port. Requests wait until `serve` is called. */
export interface Listening extends AsyncDisposable {
  readonly url: string;
  serve(answer: RequestListener, upgrade: UpgradeListener): void;
  /**
   * Accepts no new connections: a load balancer whose connection is refused goes on to another replica. Settles when the
   * requests on the last ones have arrived.
   */
  acceptNoMore(): Promise<void>;
  /** Accepts no new connections and waits for open requests. `drain` ends those that would never end on their own. */
  close(drain: () => Promise<void>): Promise<void>;
}

/**
 * Binds the port before anything else is started, so that a port in use leaves no servers running and no files behind.
 * For the same reason this module is loaded before the rest of the HTTP server.
 */
export async function listenAt(host: string, port: number, arrivalMs?: number): Promise<Listening> {
  const server = http.createServer({ keepAliveTimeout: 75_000, shouldUpgradeCallback, ...arrival(arrivalMs) });
  const serveRequests = holdRequests(server);
  // Older versions of Node (before 24.9) would hand over every socket whose request offers some other protocol.
  const canUpgrade = 'shouldUpgradeCallback' in server;
  const serveUpgrades = canUpgrade ? holdUpgrades(server) : () => {};
  // Clients open connections ahead of requests. Node does not count those as idle and would wait for them.
  const unused = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => void unused.delete(socket));
  // Nor does Node count sockets that it handed over.
  let closing = false;
  const handedOver = ({ socket }: IncomingMessage) => void (closing ? socket.destroy() : unused.add(socket));
  if (canUpgrade) server.on('upgrade', handedOver);
  await listen(
    server,
    { port, host },
    (error) => new AppError('unavailable', whyNot(error, port, host), { cause: error }),
  );

  let closed: Promise<void> | undefined;
  const stopListening = () => (closed ??= new Promise<void>((resolve) => server.close(() => resolve())));

  async function acceptNoMore(): Promise<void> {
    // The system resets connections that nobody has taken from it, after their request was sent. Each turn takes one.
    for (let before = -1; before !== connections; ) {
      before = connections;
      await setImmediate();
      await setImmediate();
    }
    void stopListening();
    for (const end = Date.now() + ARRIVING_MS; unused.size > 0 && Date.now() < end; ) await delay(5);
  }

  async function close(drain: () => Promise<void>): Promise<void> {
    const ended = stopListening();
    await drain();
    closing = true;
    server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
    const force = setTimeout(() => server.closeAllConnections(), 1000);
    await ended;
    clearTimeout(force);
  }

  return {
    url: reachableUrl(host, portOf(server)),
    serve(answer, upgrade) {
      serveRequests(answer);
      serveUpgrades(upgrade);
    },
    acceptNoMore,
    close,
    // If the start failed, nothing will ever answer the waiting requests.
    [Symbol.asyncDispose]: () => close(async () => server.closeAllConnections()),
  };
}

/** Holds requests until the returned function gets the listener that answers them. */
export function holdRequests(server: HttpServer): (answer: RequestListener) => void {
  const waiting: [IncomingMessage, ServerResponse][] = [];
  const hold = (request: IncomingMessage, response: ServerResponse) => void waiting.push([request, response]);
  server.on('request', hold);
  return (answer) => {
    server.off('request', hold);
    server.on('request', answer);
    for (const [request, response] of waiting.splice(0)) answer(request, response);
  };
}

/**
 * Anything else that asks for an upgrade is an ordinary request. Java's HTTP client, for one, offers h2c with the first
 * request.
 */
function shouldUpgradeCallback({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && /^\/ws(?:[/?]|$)/.test(url);
}

/** Holds upgrades like requests. */
function holdUpgrades(server: HttpServer): (upgrade: UpgradeListener) => void {
  const waiting: Parameters<UpgradeListener>[] = [];
  const hold: UpgradeListener = (...upgrade) => {
    upgrade[1].on('error', () => {});
    waiting.push(upgrade);
  };
  server.on('upgrade', hold);
  return (serve) => {
    server.off('upgrade', hold);
    server.on('upgrade', serve);
    for (const upgrade of waiting.splice(0)) serve(...upgrade);
  };
}

/** Without authentication, serve this machine only. */
export function assertNotOpen(host: string, isOpen: boolean): void {
  if (!isOpen || isLoopback(host)) return;
  throw new AppError(
    'forbidden',
    `Refusing to serve ${host} without authentication: everyone on the network could use your tools. Set MCP_AUTH_TOKEN to a token that callers send (create one with \`openssl rand -hex 32\`), or set auth: { mode: keys } and create a key with \`sluice keys create\`, or bind to 127.0.0.1.`,
  );
}

/** Cuts off clients that send a request very slowly. */
function arrival(ms = 60_000) {
  return { headersTimeout: ms / 2, requestTimeout: ms, connectionsCheckingInterval: ms / 4 };
}

function whyNot({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port: --port ${port + 1}`;
    case 'EACCES':
      return `Cannot listen on ${host}:${port}: this user may not use that port. Choose a port above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Cannot listen on ${host}:${port}: this machine does not have that address. Choose another with --host.`;
    default:
      return `Cannot listen on ${host}:${port}: ${message}`;
  }
}
