import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AppError } from '../kernel/errors.ts';
import { http } from '../kernel/node-http.ts';
import { reachableUrl } from '../kernel/reachable-url.ts';
import { createHttpEndpoint } from '../wire/http.ts';
import type { Service } from '../wire/service.ts';
import type { Admission } from './admission.ts';
import type { Pages, PagesOptions } from './pages.ts';
import { isLoopback } from './gate.ts';
import { createGuard, type GuardOptions } from './guard.ts';

export interface ServerOptions extends Omit<PagesOptions, 'identify' | 'stopping'> {
  service: Service;
  guard: GuardOptions;
  port: number;
  /** How long a request may take to arrive whole: a minute unless told. */
  arrivalMs?: number;
  /** Serves a request of a path of its own (sign-in pages, their metadata), once it has passed the gate. */
  extra?(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  sessions(): number;
  /** Ends what these principals have open: their keys no longer work. */
  dismiss(principals: ReadonlySet<string>): void;
}

/** The HTTP server: MCP first, by our own wire; everything else is small pages and JSON. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, open } = options.guard.settings();
  if (open ? !isLoopback(host) : options.guard.authenticators().length === 0) {
    throw new AppError(
      'forbidden',
      `Refusing to serve ${host} without authentication: everybody on the network could use your tools. Set auth: { mode: keys } and make a key with \`sluice keys create\`, or bind to 127.0.0.1.`,
    );
  }
  const guard = createGuard(options.guard);
  const endpoint = createHttpEndpoint({
    service: options.service,
    admit: guard.admit,
    charge: guard.charge,
    ...(options.insufficient && { insufficient: options.insufficient }),
  });
  // Pages and JSON are loaded when somebody asks for one: MCP does not wait for them.
  let rest: Promise<Pages> | undefined;
  const stopping = new AbortController();
  /** Who is being answered, for the day they are dismissed: an answer may be a stream without end. */
  const answered = new Map<ServerResponse, string>();
  const server = http.createServer({ keepAliveTimeout: 75_000, ...arrival(options.arrivalMs) }, (request, response) => {
    if (endpoint.handle(request, response)) return;
    if (!guard.pass(request, response) || options.extra?.(request, response)) return;
    rest ??= import('./pages.ts').then(({ createPages }) =>
      createPages({ ...options, identify, stopping: stopping.signal }),
    );
    response.once('close', () => answered.delete(response));
    void rest.then((serve) => serve(request, response));
  });
  async function identify(request: IncomingMessage, response: ServerResponse): Promise<Admission> {
    const admission = await guard.identify(request);
    if ('principal' in admission && !response.closed) answered.set(response, admission.principal.id);
    return admission;
  }

  // Clients open connections ahead of their requests; Node does not count those as idle and would wait for them.
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => void unused.delete(socket));
  await listen(server, options.port, host);
  const { port } = server.address() as AddressInfo;
  return {
    url: reachableUrl(host, port),
    sessions: () => endpoint.sessions(),
    dismiss(principals) {
      endpoint.dismiss(principals);
      for (const [response, principal] of answered) if (principals.has(principal)) response.destroy();
    },
    async [Symbol.asyncDispose]() {
      guard[Symbol.dispose]();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      stopping.abort(new AppError('unavailable', 'The gateway is stopping. Try again when it is back.'));
      await endpoint[Symbol.asyncDispose]();
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
      const force = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(force);
    },
  };
}

/** Whoever sends a request drop by drop is cut off. */
function arrival(ms = 60_000) {
  return { headersTimeout: ms / 2, requestTimeout: ms, connectionsCheckingInterval: ms / 4 };
}

function listen(server: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        new AppError(
          taken ? 'conflict' : 'internal',
          taken
            ? `Port ${port} on ${host} is taken. Stop what uses it, or choose another: --port ${port + 1}`
            : `Cannot listen on ${host}:${port}: ${error.message}`,
          { cause: error },
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}
