import type { EntryPoint, Middleware, Router, Service } from './answers.ts';
import { portOf } from './choose.ts';
import { priorityOf } from './priority.ts';
import { isInternal, qualified } from './references.ts';
import { neededServices, serversOf } from './servers.ts';

export const protocols = ['http', 'tcp', 'udp'] as const;
export type Protocol = (typeof protocols)[number];

/** Everything that a Traefik has configured for one protocol. */
export interface Configured {
  readonly protocol: Protocol;
  readonly routers: readonly Router[];
  readonly services: readonly Service[];
  readonly middlewares: readonly Middleware[];
}

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly protocol: Protocol;
  readonly kind: 'router' | 'service' | 'middleware';
  readonly name: string;
  readonly problem: string;
  readonly fix?: string;
}

type Found = Pick<Problem, 'severity' | 'problem' | 'fix'>;

/** What is wrong, errors first. */
export function problemsIn(all: readonly Configured[], entryPoints: readonly EntryPoint[]): Problem[] {
  const points = new Map(entryPoints.map((point) => [point.name, point]));
  const found = all.flatMap((one): Problem[] => {
    const services = new Set(one.services.map(({ name }) => name));
    const middlewares = new Set(one.middlewares.map(({ name }) => name));
    const of = (kind: Problem['kind'], name: string, list: readonly Found[]): Problem[] =>
      list.map((problem) => ({ ...problem, protocol: one.protocol, kind, name }));
    return [
      ...one.routers.flatMap((router) =>
        of('router', router.name, [
          ...said(router),
          ...missingReferences(router, services, middlewares),
          ...entryPointProblems(router, points, one.protocol),
        ]),
      ),
      ...one.services.flatMap((service) =>
        of('service', service.name, [
          ...said(service),
          ...serverProblems(service),
          ...missingServices(service, services),
        ]),
      ),
      ...one.middlewares.flatMap((middleware) => of('middleware', middleware.name, said(middleware))),
      ...(one.protocol === 'udp' ? [] : twins(one.routers).flatMap(([name, problem]) => of('router', name, [problem]))),
    ];
  });
  return found.sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

/** What Traefik itself reports. */
function said({ status, error }: Router | Service | Middleware): Found[] {
  const severity = status === 'disabled' ? 'error' : 'warning';
  if (error.length > 0) return error.map((problem) => ({ severity, problem }));
  return status === 'enabled' ? [] : [{ severity, problem: `Traefik reports the status ${status}.` }];
}

function missingReferences(router: Router, services: ReadonlySet<string>, middlewares: ReadonlySet<string>): Found[] {
  const service = qualified(router.service, router);
  const isMissing = (name: string, known: ReadonlySet<string>) => name !== '' && !isInternal(name) && !known.has(name);
  return [
    ...(isMissing(service, services) ? [missing('service', service)] : []),
    ...router.middlewares
      .map((name) => qualified(name, router))
      .filter((name) => isMissing(name, middlewares))
      .map((name) => missing('middleware', name)),
  ];
}

const missing = (what: string, name: string): Found => ({
  severity: 'error',
  problem: `The ${what} ${name} does not exist.`,
  fix: `Define it, or name the one that is meant with its provider, as in ${name.replace(/@.*$/, '')}@file.`,
});

function entryPointProblems(router: Router, points: ReadonlyMap<string, EntryPoint>, protocol: Protocol): Found[] {
  // Without a list there is nothing to compare with.
  if (points.size === 0) return [];
  return router.entryPoints.flatMap((name): Found[] => {
    const point = points.get(name);
    if (!point)
      return [
        {
          severity: 'error',
          problem: `The entry point ${name} does not exist.`,
          fix: `Use one of ${[...points.keys()].slice(0, 10).join(', ')}, or add it to the static configuration.`,
        },
      ];
    if (protocol !== 'http' || isInternal(router.name)) return [];
    const target = point.http?.redirections?.entryPoint?.to;
    if (router.tls && target)
      return [
        warned(
          `It has tls, but the entry point ${name} only redirects to ${target}.`,
          `Listen on ${target.replace(/^:/, 'the entry point of port ')} instead.`,
        ),
      ];
    if (router.tls && portOf(point) === 80)
      return [
        warned(
          `It has tls, but the entry point ${name} is on port 80, where browsers speak plain HTTP.`,
          'Remove tls, or listen on the entry point for HTTPS.',
        ),
      ];
    if (!router.tls && portOf(point) === 443)
      return [
        warned(
          `It has no tls, but the entry point ${name} is on port 443: HTTPS requests never reach it.`,
          'Add tls to the router, or http.tls to the entry point.',
        ),
      ];
    return [];
  });
}

const warned = (problem: string, fix: string): Found => ({ severity: 'warning', problem, fix });

function serverProblems(service: Service): Found[] {
  const servers = serversOf(service);
  const down = servers.filter(({ status }) => status === 'down');
  if (down.length > 0)
    return [
      {
        severity: down.length === servers.length ? 'error' : 'warning',
        problem: `${down.length} of ${servers.length} servers are down: ${down
          .slice(0, 3)
          .map(({ at }) => at)
          .join(', ')}${down.length > 3 ? ', …' : ''}.`,
        fix: 'Check that they run and that their health check answers.',
      },
    ];
  if (service.loadBalancer && servers.length === 0 && !isInternal(service.name))
    return [
      {
        severity: 'error',
        problem: 'It has no servers, so requests get 503.',
        fix: 'Start what it leads to, or add servers.',
      },
    ];
  return [];
}

const missingServices = (service: Service, known: ReadonlySet<string>): Found[] =>
  neededServices(service)
    .map((name) => qualified(name, service))
    .filter((name) => !known.has(name) && !isInternal(name))
    .map((name) => missing('service', name));

/** Routers that match the same requests with the same priority: which of them wins is not defined. */
function twins(routers: readonly Router[]): [string, Found][] {
  const live = routers.filter(
    ({ status, rule, parentRefs }) => status !== 'disabled' && rule !== '' && parentRefs.length === 0,
  );
  const places = live.flatMap((router) =>
    router.entryPoints.map((point) => ({
      router,
      key: JSON.stringify([
        router.rule.replace(/\s+/g, ''),
        String(priorityOf(router).value),
        Boolean(router.tls),
        point,
      ]),
    })),
  );
  const seen = new Set<string>();
  return [...Map.groupBy(places, ({ key }) => key).values()].flatMap((group): [string, Found][] => {
    const names = [...new Set(group.map(({ router }) => router.name))].sort();
    const [first, ...others] = names;
    if (first === undefined || others.length === 0 || seen.has(names.join(' '))) return [];
    seen.add(names.join(' '));
    const problem = `It has the same rule and priority as ${others.slice(0, 3).join(', ')}: which one gets a request is not defined.`;
    return [[first, warned(problem, 'Remove one of them, or set a priority.')]];
  });
}
