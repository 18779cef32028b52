import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { AppError } from '../kernel/errors.ts';
import { createHttpEndpoint } from '../wire/http.ts';
import type { Service } from '../wire/service.ts';
import { type AdmitSettings, createAdmission, isLoopback } from './admit.ts';
import { statusPage } from './status-page.ts';

export interface ServerOptions {
  service: Service;
  version: string;
  settings(): AdmitSettings & { auth: string };
  port: number;
  /** False until every backend has tried to start once. */
  ready(): boolean;
  status(): {
    backends: { name: string; state: string; tools: number; lastError?: { message: string } }[];
    tools: number;
  };
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  sessions(): number;
}

/** The HTTP server: MCP first, by our own wire; everything else is small pages and JSON. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, auth } = options.settings();
  if (auth === 'none' && !isLoopback(host)) {
    throw new AppError(
      'forbidden',
      `Refusing to serve ${host} without authentication: everybody on the network could use your tools. Set auth.mode to keys, or bind to 127.0.0.1.`,
    );
  }
  const admit = createAdmission(options.settings);
  const endpoint = createHttpEndpoint({ service: options.service, admit });
  const rest = getRequestListener(createApp(options).fetch);
  const server = createHttpServer({ keepAliveTimeout: 75_000, headersTimeout: 80_000 }, (request, response) => {
    if (endpoint.handle(request, response)) return;
    if (admit(request, response)) void rest(request, response);
  });
  await listen(server, options.port, host);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    sessions: () => endpoint.sessions(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await endpoint[Symbol.asyncDispose]();
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(force);
    },
  };
}

function createApp({ version, ready, status }: ServerOptions): Hono {
  const app = new Hono();
  app.get('/health', (context) => context.json({ status: 'healthy', timestamp: new Date().toISOString(), version }));
  app.get('/ready', (context) =>
    ready() ? context.json({ status: 'ready' }) : context.json({ status: 'starting' }, 503),
  );
  app.get('/api/v1/status', (context) => context.json(status()));
  app.get('/', (context) => context.html(statusPage(status(), version)));
  app.notFound((context) =>
    context.json(
      { error: `There is nothing at ${context.req.path}. MCP is at /mcp; the status at /api/v1/status.` },
      404,
    ),
  );
  return app;
}

function listen(server: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        new AppError(
          'unavailable',
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
