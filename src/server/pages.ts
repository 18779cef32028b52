import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Route } from '../kernel/part.ts';
import { statusPage } from './status-page.ts';

export interface PagesOptions {
  version: string;
  /** False until every backend has tried to start once. */
  ready(): boolean;
  status(): Parameters<typeof statusPage>[0];
  routes: readonly Route[];
}

/** Answers one request. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Everything over HTTP that is not MCP: health, status, and a page for whoever opens the URL in a browser. */
export function createPages({ version, ready, status, routes }: PagesOptions): Pages {
  const app = new Hono();
  app.get('/health', (context) => context.json({ status: 'healthy', timestamp: new Date().toISOString(), version }));
  app.get('/ready', (context) =>
    ready() ? context.json({ status: 'ready' }) : context.json({ status: 'starting' }, 503),
  );
  for (const { path, get } of routes) app.get(path, (context) => context.json(get() as object));
  app.get('/', (context) => context.html(statusPage(status(), version)));
  app.notFound((context) =>
    context.json(
      { error: `There is nothing at ${context.req.path}. MCP is at /mcp; the status at /api/v1/status.` },
      404,
    ),
  );
  return getRequestListener(app.fetch);
}
