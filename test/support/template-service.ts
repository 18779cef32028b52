/**
 * A local server with the documented shapes of n8n's template service. It refuses what the service refuses:
 *
 *   await using service = await startTemplateService(syntheticTemplates(50));
 *   service.url            for templates.url
 *   service.asked          paths of all requests, with their query
 *   service.behave('away') no more connections; 'html', 429, 500, 'slow', 'huge', { to: URL } for a redirect,
 *                          undefined for normal again
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SyntheticTemplate } from './synthetic-templates.ts';

const MOST_ROWS = 100;
const known = new Set(['page', 'rows', 'limit', 'search', 'category', 'apps', 'nodes', 'sort', 'combineWith']);
const sorts = new Set(['totalViews:desc', 'createdAt:desc', 'trendingScore:desc', 'rank:desc']);

type Behaviour = 'away' | 'html' | 'slow' | 'huge' | { readonly to: string } | 429 | 500 | undefined;

export interface TemplateService extends AsyncDisposable {
  readonly url: string;
  readonly asked: string[];
  /** Requests that had a credential. There must be none. */
  readonly credentials: string[];
  templates: SyntheticTemplate[];
  behave(how: Behaviour): void;
  /** Answers of this path are replaced. A string is sent as it is. */
  replace(path: string, body: unknown): void;
}

export async function startTemplateService(templates: readonly SyntheticTemplate[]): Promise<TemplateService> {
  const asked: string[] = [];
  const credentials: string[] = [];
  const replaced = new Map<string, unknown>();
  let how: Behaviour;
  const state = { templates: [...templates] };

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://service');
    asked.push(`${url.pathname.replace(/^\/api\//, '')}${url.search}`);
    const { authorization, cookie } = request.headers;
    if (authorization !== undefined || cookie !== undefined || request.headers['x-n8n-api-key'] !== undefined)
      credentials.push(asked.at(-1) as string);
    if (how === 'away') return void request.socket.destroy();
    // Never answered: the client has to give up by itself.
    if (how === 'slow') return;
    if (how === 'html') return send(response, 200, '<!doctype html><title>Captive portal</title>', 'text/html');
    if (how === 'huge') return huge(response);
    if (typeof how === 'object') {
      response.writeHead(302, { location: how.to }).end();
      return;
    }
    if (how === 429) {
      response.setHeader('retry-after', '2');
      return json(response, 429, { message: 'Too many requests' });
    }
    if (how === 500) return json(response, 500, { message: 'Internal error' });
    const path = url.pathname.replace(/^\/api\//, '');
    if (request.method !== 'GET') return json(response, 405, { message: 'Method not allowed' });
    const instead = replaced.get(path);
    if (typeof instead === 'string') return send(response, 200, instead, 'application/json');
    if (instead !== undefined) return json(response, 200, instead);
    if (path === 'templates/search') return search(url.searchParams, response);
    if (path === 'templates/categories') {
      const names = [...new Set(state.templates.flatMap((one) => one.categories.map(({ name }) => name)))];
      return json(response, 200, {
        categories: names.map((name, at) => ({ id: at + 1, name, displayName: null, parent: null })),
      });
    }
    const [, place, id] = /^(templates\/workflows|workflows\/templates)\/(\d+)$/.exec(path) ?? [];
    const found = state.templates.find((one) => String(one.id) === id);
    if (!found) return json(response, 404, 'Not found');
    const { workflow, ...about } = found;
    if (place === 'workflows/templates') return json(response, 200, { id: found.id, name: found.name, workflow });
    return json(response, 200, {
      workflow: {
        ...about,
        views: about.totalViews,
        recentViews: 1,
        image: [],
        workflowInfo: { nodeCount: 1, nodeTypes: {} },
        workflow,
      },
    });
  }

  function search(query: URLSearchParams, response: ServerResponse): void {
    const strange = [...query.keys()].filter((key) => !known.has(key));
    const rows = Number(query.get('rows') ?? query.get('limit') ?? 20);
    const page = Number(query.get('page') ?? 1);
    const sort = query.get('sort');
    if (strange.length > 0 || !(rows >= 1 && rows <= MOST_ROWS) || !(page >= 1) || (sort !== null && !sorts.has(sort)))
      return json(response, 400, { message: `Bad query: ${query.toString()}` });
    const words = (query.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const category = query.get('category');
    const types = (query.get('nodes') ?? '').split(',').filter(Boolean);
    const found = state.templates.filter(
      ({ name, description, categories, nodes }) =>
        words.every((word) => `${name} ${description}`.toLowerCase().includes(word)) &&
        (category === null || categories.some((one) => one.name === category)) &&
        types.every((type) => nodes.some((node) => node.name === type)),
    );
    if (sort === 'totalViews:desc') found.sort((one, other) => other.totalViews - one.totalViews);
    const part = found.slice((page - 1) * rows, page * rows);
    // Entries of a list have neither a workflow nor categories.
    json(response, 200, {
      totalWorkflows: found.length,
      workflows: part.map(({ workflow: _, categories: __, ...entry }) => entry),
      filters: [],
    });
  }

  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/api/`,
    asked,
    credentials,
    behave(next: Behaviour) {
      how = next;
    },
    replace: (path: string, body: unknown) => void replaced.set(path, body),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

const json = (response: ServerResponse, status: number, body: unknown): void =>
  send(response, status, JSON.stringify(body), 'application/json');

function send(response: ServerResponse, status: number, text: string, type: string): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}

/** More than any client should read. */
function huge(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}
