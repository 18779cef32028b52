import { z } from 'zod';
import { shortened } from '../shown.ts';
import type { Middleware, Router, Service } from './answers.ts';
import { masked, maskedRule, maskedText } from './masked.ts';
import { priorityOf } from './priority.ts';
import { neededServices, serversOf } from './servers.ts';

const NAME = 200;
const MOST = 10;

export const name = (text: string): string => shortened(text, NAME);

/** At most so many names, and how many more there are. */
export const names = (all: readonly string[], most = MOST): string[] =>
  all.length <= most ? all.map(name) : [...all.slice(0, most).map(name), `… ${all.length - most} more`];

const errors = (all: readonly string[]): { errors?: string[] } =>
  all.length === 0 ? {} : { errors: all.slice(0, 5).map((one) => shortened(maskedText(one), 300)) };

export const shownRule = (rule: string, most = 400): string => shortened(maskedRule(rule), most);

export const routerOutput = z.object({
  name: z.string(),
  protocol: z.string(),
  status: z.string(),
  rule: z.string().optional(),
  rule_syntax: z.string().optional(),
  priority: z.string().optional(),
  priority_set: z.boolean().optional().describe('Otherwise it is the length of the rule'),
  entry_points: z.array(z.string()),
  service: z.string(),
  middlewares: z.array(z.string()).optional(),
  tls: z.boolean(),
  parents: z.array(z.string()).optional(),
  errors: z.array(z.string()).optional(),
});

export function shownRouter(router: Router & { protocol: string }, most = 400): z.output<typeof routerOutput> {
  const { value, isSet } = priorityOf(router);
  return {
    name: name(router.name),
    protocol: router.protocol,
    status: name(router.status),
    ...(router.rule !== '' && { rule: shownRule(router.rule, most), priority: String(value), priority_set: isSet }),
    ...(router.ruleSyntax !== '' && { rule_syntax: name(router.ruleSyntax) }),
    entry_points: names(router.entryPoints),
    service: name(router.service),
    ...(router.middlewares.length > 0 && { middlewares: names(router.middlewares) }),
    tls: Boolean(router.tls),
    ...(router.parentRefs.length > 0 && { parents: names(router.parentRefs) }),
    ...errors(router.error),
  };
}

export const serviceOutput = z.object({
  name: z.string(),
  protocol: z.string(),
  status: z.string(),
  type: z.string().optional(),
  servers: z.number().optional(),
  servers_down: z.number().optional(),
  leads_to: z.array(z.string()).optional().describe('Other services'),
  used_by: z.array(z.string()).optional(),
  errors: z.array(z.string()).optional(),
});

export function shownService(service: Service & { protocol: string }): z.output<typeof serviceOutput> {
  const servers = serversOf(service);
  const down = servers.filter(({ status }) => status === 'down').length;
  const needed = neededServices(service);
  return {
    name: name(service.name),
    protocol: service.protocol,
    status: name(service.status),
    ...(service.type !== undefined && { type: name(service.type) }),
    ...(service.loadBalancer && { servers: servers.length }),
    ...(down > 0 && { servers_down: down }),
    ...(needed.length > 0 && { leads_to: names(needed) }),
    ...(service.usedBy.length > 0 && { used_by: names(service.usedBy, 5) }),
    ...errors(service.error),
  };
}

export const middlewareOutput = z.object({
  name: z.string(),
  protocol: z.string(),
  status: z.string(),
  type: z.string(),
  used_by: z.array(z.string()).optional(),
  errors: z.array(z.string()).optional(),
});

export const shownMiddleware = (middleware: Middleware & { protocol: string }): z.output<typeof middlewareOutput> => ({
  name: name(middleware.name),
  protocol: middleware.protocol,
  status: name(middleware.status),
  type: name(middleware.type),
  ...(middleware.usedBy.length > 0 && { used_by: names(middleware.usedBy, 5) }),
  ...errors(middleware.error),
});

/** What is shown of an element elsewhere. */
const TOLD = new Set(['name', 'provider', 'status', 'error', 'type', 'usedBy', 'using', 'protocol', 'serverStatus']);

/** The rest of an element's configuration as JSON, without secrets. */
export function shownConfig(element: object, without: readonly string[], most: number): string {
  const rest = Object.entries(element).filter(
    ([key, value]) => !TOLD.has(key) && !without.includes(key) && value != null,
  );
  return shortened(JSON.stringify(masked(Object.fromEntries(rest))), most);
}
