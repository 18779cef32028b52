/**
 * Stands in for an n8n whose licence has everything: projects, folders, variables, source control. It refuses what the
 * description of the installed n8n does not allow, and its own answers are held against that description, too.
 *
 *   await using n8n = await startLicensedN8n(contract);
 *   await using bench = await openWorkbench(administrationTools, n8n);
 *   n8n.refuse('PUT /workflows/{workflowId}/transfer', 2);     // the second such request gets a 403
 *   expect(n8n.problems).toEqual([]);                          // what broke the description, on either side
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Handled, handlersOf, internalHandlers } from './licensed-n8n/handlers.ts';
import { createWorld, type World } from './licensed-n8n/world.ts';
import type { N8nContract } from './n8n-contract.ts';

export interface LicensedN8n extends AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
  readonly owner: { readonly email: string; readonly password: string };
  readonly world: World;
  /** `POST /projects` and so on, in their order. */
  readonly received: string[];
  readonly problems: string[];
  /** Answers 403 to the nth request of this kind from now on, and to those after it. */
  refuse(key: string, nth?: number): void;
}

export async function startLicensedN8n(contract: N8nContract): Promise<LicensedN8n> {
  const world = createWorld();
  const handlers = handlersOf(world);
  const internal = internalHandlers(world);
  const received: string[] = [];
  const problems: string[] = [];
  const refused = new Map<string, number>();

  async function answer(request: IncomingMessage): Promise<Handled> {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://x');
    const method = request.method ?? '';
    const body = await bodyOf(request);
    if (!pathname.startsWith('/api/v1/')) {
      received.push(`${method} ${pathname}${query.size > 0 ? `?${query.toString()}` : ''}`);
      return internal(method, pathname, query);
    }
    if (request.headers['x-n8n-api-key'] !== 'licensed') return { status: 401, body: { message: 'Unauthorized' } };
    const matched = contract.match(method, pathname.slice('/api/v1'.length));
    if (!matched) return { status: 404, body: { message: 'not found' } };
    const { key, params } = matched;
    received.push(key);
    const wrong = contract.requestProblems(matched, { query, body });
    problems.push(...wrong);
    if (wrong.length > 0) return { status: 400, body: { message: wrong.join('; ') } };
    const left = refused.get(key);
    if (left !== undefined) refused.set(key, left - 1);
    if (left !== undefined && left <= 1) return { status: 403, body: { message: 'Forbidden' } };
    const handler = handlers.get(key);
    if (!handler) {
      problems.push(`${key}: the stand-in does not have it`);
      return { status: 501, body: { message: `The stand-in has no ${key}` } };
    }
    const made = handler({ params, query, body });
    problems.push(...contract.responseProblems(matched, made.status, made.body));
    return made;
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body, headers }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      },
      (error: unknown) => {
        problems.push(String(error));
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'licensed',
    owner: { email: 'owner@example.com', password: 'secret' },
    world,
    received,
    problems,
    refuse: (key, nth = 1) => void refused.set(key, nth),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}
