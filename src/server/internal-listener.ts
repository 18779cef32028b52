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
import type { Pages, PagesOptions } from './pages.ts';

type Address = { socket: string } | { host: string; port: number };

interface Settings {
  /** Where to listen, and what callers may do; false where there is none. */
  internal: false | (Address & { scopes: readonly string[] });
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

export interface InternalListener extends AsyncDisposable {
  /** A URL, or the path of the socket. */
  readonly at: string;
}

/** A place that is ours. What is asked there before somebody answers waits. */
export interface BoundInternal extends AsyncDisposable {
  readonly at: string;
  readonly server: Server;
  serve(answer: RequestListener): void;
}

/** Takes the place before anything else is started; undefined where there is none. */
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
 * Where other services of this machine call without a key. Whoever can reach it may do what its scopes say, so it is off
 * unless it is asked for, and a socket is open to its owner alone.
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
  let pages: Promise<Pages> | undefined;
  const serve: Pages = async (request, response) => {
    pages ??= import('./pages.ts').then((loaded) =>
      loaded.createInternalPages({ ...options, principal, stopping: stopping.signal }),
    );
    return (await pages)(request, response);
  };
  const guarded = 'socket' in internal ? serve : behindGate(internal.host, settings, serve);
  bound.serve((request, response) => void guarded(request, response));
  if ('host' in internal && !isLoopback(internal.host)) {
    const allowed = internal.scopes.join(', ') || 'nothing';
    options.warn(
      `WARNING: the internal listener at ${at} asks nobody for a key. Whoever reaches it on the network is allowed ${allowed}. Use a socket or 127.0.0.1 unless that network is yours alone.`,
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

/** Taken away while we run, they are gone at once, though the listener itself goes with the next start. */
const scopesOf = ({ internal }: Settings): ReadonlySet<string> => new Set(internal ? internal.scopes : []);

/** A web page must not get in by way of somebody's browser; nobody's browser can open a socket. */
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
  // Node would say that permission is denied.
  if (!(await lstat(dirname(path)).catch(() => undefined)))
    throw new AppError(
      'invalid_input',
      `The directory ${dirname(path)} does not exist. Make it, or change server.internal.socket.`,
    );
  await removeStale(path);
  // Bound with these rights from the first moment: a chmod afterwards would leave the door open for a while.
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
  const taken = error.code === 'EADDRINUSE' ? ' Something else is listening there.' : '';
  const message = `The internal listener cannot listen at ${where}: ${error.message}.${taken} Change server.internal.`;
  return new AppError('unavailable', message, { cause: error });
};

/** A socket that a killed gateway left behind is removed; anything else is somebody's. */
async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket())
    throw new AppError('conflict', `${path} is there already and is no socket. Change server.internal.socket.`);
  if (await answers(path))
    throw new AppError('unavailable', `Something else is listening at ${path}. Change server.internal.socket.`);
  await rm(path).catch((error: unknown) => {
    throw new AppError('conflict', `${path} is left over and cannot be removed: ${messageOf(error)}`);
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
