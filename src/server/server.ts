import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AppError } from '../kernel/errors.ts';
import { createHttpEndpoint } from '../wire/http.ts';
import type { Service } from '../wire/service.ts';
import type { Pages, PagesOptions } from './pages.ts';
import { type AdmitSettings, createAdmission, isLoopback } from './admit.ts';

export interface ServerOptions extends PagesOptions {
  service: Service;
  settings(): AdmitSettings & { auth: string };
  port: number;
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  sessions(): number;
}

/** The HTTP server: MCP first, by our own wire; everything else is small pages and JSON. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, auth } = options.settings();
  if (auth !== 'none') {
    throw new AppError(
      'unsupported',
      `auth.mode ${auth} is not available yet, and without it everybody would be let in. Remove it, and serve 127.0.0.1 only.`,
    );
  }
  if (!isLoopback(host)) {
    throw new AppError(
      'forbidden',
      `Refusing to serve ${host} without authentication: everybody on the network could use your tools. Bind to 127.0.0.1.`,
    );
  }
  const admit = createAdmission(options.settings);
  const endpoint = createHttpEndpoint({ service: options.service, admit });
  // Pages and JSON are loaded when somebody asks for one: MCP does not wait for them.
  let rest: Promise<Pages> | undefined;
  const server = createHttpServer({ keepAliveTimeout: 75_000, headersTimeout: 80_000 }, (request, response) => {
    if (endpoint.handle(request, response)) return;
    if (!admit(request, response)) return;
    rest ??= import('./pages.ts').then(({ createPages }) => createPages(options));
    void rest.then((serve) => serve(request, response));
  });
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
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    sessions: () => endpoint.sessions(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await endpoint[Symbol.asyncDispose]();
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
      const force = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(force);
    },
  };
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
