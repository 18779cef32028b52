import { lstat, rm } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { listen, portOf } from '../host/listen.ts';
import { AppError, messageOf } from '../kernel/errors.ts';
import { http } from '../kernel/node-http.ts';
import { isLoopback } from '../kernel/plain-http.ts';
import { addressUrl } from '../kernel/reachable-url.ts';
import { gatewayStops } from '../wire/http.ts';
import { createGate } from './gate.ts';
import { holdRequests } from './listening.ts';
import { latePages } from './late-pages.ts';
import type { Pages, PagesOptions } from './pages.ts';

type Address = { socket: string } | { host: string; port: number };

interface Settings {
  /** Where to listen and what callers may do; false if there is no internal listener. */
  internal: false | (Address & { scopes: readonly string[] });
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

export interface InternalListener extends AsyncDisposable {
  /** A URL, or the path of the socket. */
  readonly at: string;
}

/** A bound address. Requests wait until `serve` is called. */
export interface BoundInternal extends AsyncDisposable {
  readonly at: string;
  readonly server: Server;
  serve(answer: RequestListener): void;
}

/** Binds the address before anything else is started; undefined if there is no internal listener. */
export async function bindInternal({ internal }: Pick<Settings, 'internal'>): Promise<BoundInternal | undefined> {
  if (!internal) return undefined;
  const server = http.createServer();
  const serve = holdRequests(server);
  const at = await ('socket' in internal ? listenAt(server, internal.socket) : listenOn(server, internal));
  return {
    at,
    server,
    serve,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Lets other services on this machine call without a key. Everything that can reach it may do what its scopes allow, so
 * it is off by default, and only its owner can open a socket.
 */
export async function openInternalListener(
  options: Pick<PagesOptions, 'version' | 'ready' | 'rest'> & { settings(): Settings; warn(line: string): void },
  early?: BoundInternal,
): Promise<InternalListener | undefined> {
  const { settings } = options;
  const { internal } = settings();
  const bound = early ?? (await bindInternal(settings()));
  if (!internal || !bound) return undefined;
  const { at, server } = bound;
  const principal = () => ({ id: 'internal', name: 'internal listener', scopes: scopesOf(settings()) });
  const stopping = new AbortController();
  const serve = latePages(async () => {
    const { createInternalPages } = await import('./pages.ts');
    return createInternalPages({ ...options, principal, stopping: stopping.signal });
  });
  const guarded = 'socket' in internal ? serve : behindGate(internal.host, settings, serve);
  bound.serve((request, response) => void guarded(request, response));
  if ('host' in internal && !isLoopback(internal.host)) {
    const allowed = internal.scopes.join(', ') || 'none';
    options.warn(
      `WARNING: the internal listener at ${at} requires no key. Everyone who can reach it on the network has these scopes: ${allowed}. Use a socket or 127.0.0.1 unless you trust the whole network.`,
    );
  }
  return {
    at,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      stopping.abort(gatewayStops());
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(force);
    },
  };
}

/**
 * Read for each request: scopes removed from the file are gone at once, while the listener itself changes at the next
 * start.
 */
const scopesOf = ({ internal }: Settings): ReadonlySet<string> => new Set(internal ? internal.scopes : []);

/**
 * Keeps web pages from getting in through somebody's browser. Browsers cannot open a socket, so sockets need no gate.
 */
function behindGate(host: string, settings: () => Settings, serve: Pages): Pages {
  const gate = createGate(
    () => ({ host, allowedHosts: settings().allowedHosts, allowedOrigins: settings().allowedOrigins }),
    () => false,
  );
  return async (request, response) => {
    const gated = gate(request);
    if (!('refusal' in gated)) {
      for (const name in gated.headers) response.setHeader(name, gated.headers[name] as string);
      if (request.method === 'OPTIONS') return void response.writeHead(204).end();
      return serve(request, response);
    }
    const { status, message } = gated.refusal;
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } }));
  };
}

async function listenAt(server: Server, path: string): Promise<string> {
  // Without this check Node would report that permission is denied.
  if (!(await lstat(dirname(path)).catch(() => undefined)))
    throw new AppError(
      'invalid_input',
      `The directory ${dirname(path)} does not exist. Create it, or change server.internal.socket.`,
    );
  await removeStale(path);
  // Set the permissions before binding: a chmod afterwards would leave the socket open to others for a moment.
  const before = process.umask(0o177);
  const bound = listen(server, { path }, whyNotAt(path));
  process.umask(before);
  await bound;
  return path;
}

async function listenOn(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  await listen(server, { port, host }, whyNotAt(`${host}:${port}`));
  return addressUrl(host, portOf(server));
}

const whyNotAt = (where: string) => (error: NodeJS.ErrnoException) => {
  const taken = error.code === 'EADDRINUSE' ? ' Another program listens there.' : '';
  const message = `The internal listener cannot listen at ${where}: ${error.message}.${taken} Change server.internal.`;
  return new AppError('unavailable', message, { cause: error });
};

/** Removes a socket that a killed gateway left behind. Anything else belongs to somebody. */
async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket())
    throw new AppError('conflict', `${path} already exists and is not a socket. Change server.internal.socket.`);
  if (await answers(path))
    throw new AppError('unavailable', `Another program listens at ${path}. Change server.internal.socket.`);
  await rm(path).catch((error: unknown) => {
    throw new AppError('conflict', `Cannot remove the old socket ${path}: ${messageOf(error)}`);
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
