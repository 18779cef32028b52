/**
 * A Traefik of the test's own, or the one at TEST_TRAEFIK_URL. The own one is written from Traefik's source and
 * documentation (pkg/api: paths, pagination, search criteria, error bodies; docs/content/reference/install-configuration/
 * api-dashboard): it answers as the API does, and refuses every request that the API would not understand.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../integration/harness.ts';
import { serveHttp } from './prometheus.ts';

/** The URL of a real Traefik to test against. Tests that need a certain configuration are left out then. */
export const REAL_TRAEFIK = process.env.TEST_TRAEFIK_URL;

type Element = Json & { name: string };

interface Scheme {
  routers?: Element[];
  services?: Element[];
  middlewares?: Element[];
}

export interface TraefikState {
  version: string;
  entryPoints: Element[];
  http: Scheme;
  tcp: Scheme;
  udp: Scheme;
  /** Sent as `user:password`; without it, everybody may ask. */
  credentials?: string;
  /** Answers instead of the API, if it returns true. */
  fault?(request: IncomingMessage, response: ServerResponse): boolean;
}

const KINDS = {
  http: ['routers', 'services', 'middlewares'],
  tcp: ['routers', 'services', 'middlewares'],
  udp: ['routers', 'services'],
};
const CRITERIA = new Set([
  'search',
  'status',
  'serviceName',
  'middlewareName',
  'page',
  'per_page',
  'sortBy',
  'direction',
]);

export async function fakeTraefik(state: TraefikState, port = 0) {
  /** Requests that a real one would not have understood. */
  const misunderstood: string[] = [];
  const server = await serveHttp((request, response) => {
    const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(`${JSON.stringify(value)}\n`);
    const refused = (message: string, status: number) => json({ message }, status);
    if (state.fault?.(request, response)) return;
    const wanted = state.credentials && `Basic ${Buffer.from(state.credentials).toString('base64')}`;
    if (wanted && request.headers.authorization !== wanted)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="traefik"' }).end('401 Unauthorized\n');
    const url = new URL(request.url ?? '', 'http://x');
    const lost = () => {
      misunderstood.push(`${request.method} ${request.url}`);
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
    };
    if (request.method !== 'GET') {
      misunderstood.push(`${request.method} ${request.url}`);
      return void response.writeHead(405).end();
    }
    if ([...url.searchParams.keys()].some((key) => !CRITERIA.has(key))) return lost();
    const list = (items: readonly Element[]) => {
      const number = (key: string, usual: number) => Number(url.searchParams.get(key) ?? usual);
      const [page, perPage] = [number('page', 1), number('per_page', 100)];
      const start = (page - 1) * perPage;
      if (!(page > 0 && perPage > 0) || (start !== 0 && start >= items.length))
        return refused(`invalid request: page: ${page}, per_page: ${perPage}`, 400);
      const next = page * perPage < items.length ? page + 1 : 1;
      json(items.slice(start, start + perPage), 200, { 'x-next-page': String(next) });
    };
    const [, api, scheme = '', kind = '', id, ...more] = url.pathname.split('/');
    if (api !== 'api' || more.length > 0) return lost();
    if (scheme === 'version' && kind === '')
      return json({ Version: state.version, Codename: 'saintnectaire', startDate: '2026-01-02T03:04:05Z' });
    if (scheme === 'overview' && kind === '') return json(overviewOf(state));
    if (scheme === 'entrypoints' && kind === '') return list(state.entryPoints);
    if (!(scheme in KINDS) || !KINDS[scheme as 'http'].includes(kind)) return lost();
    const all = (state[scheme as 'http'][kind as 'routers'] ?? []).map(represented);
    if (id === undefined) return list(all.filter((one) => kept(one, url.searchParams)));
    const name = decodeURIComponent(id);
    const found = all.find((one) => one.name === name);
    return found ? json(found) : refused(`${kind.replace(/s$/, '')} not found: ${name}`, 404);
  }, port);
  return { ...server, misunderstood };
}

function represented(one: Element): Element {
  const { priority } = one;
  return {
    status: 'enabled',
    ...one,
    provider: one.name.split('@')[1],
    ...('rule' in one && { using: one.entryPoints, priorityStr: JSON.stringify(priority ?? 0) }),
  };
}

function kept(one: Element, query: URLSearchParams): boolean {
  const search = query.get('search')?.toLowerCase() ?? '';
  const status = query.get('status')?.toLowerCase() ?? '';
  const texts = [one.name, typeof one.rule === 'string' ? one.rule : ''].map((text) => text.toLowerCase());
  return (status === '' || String(one.status).toLowerCase() === status) && texts.some((text) => text.includes(search));
}

function overviewOf({ http, tcp, udp }: TraefikState) {
  const section = (all: readonly Element[] = []) => ({
    total: all.length,
    warnings: all.filter(({ status }) => status === 'warning').length,
    errors: all.filter(({ status }) => status === 'disabled').length,
  });
  const scheme = ({ routers, services, middlewares }: Scheme) => ({
    routers: section(routers),
    services: section(services),
    middlewares: section(middlewares),
  });
  const { middlewares: _, ...udpOnly } = scheme(udp);
  return {
    http: scheme(http),
    tcp: scheme(tcp),
    udp: udpOnly,
    features: { tracing: '', metrics: 'Prometheus', accessLog: true },
    providers: ['Docker', 'File'],
  };
}
