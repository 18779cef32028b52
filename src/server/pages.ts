import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { CallPath } from '../kernel/call.ts';
import { AppError } from '../kernel/errors.ts';
import { ownCalls } from '../kernel/own-calls.ts';
import type { Route } from '../kernel/route.ts';
import { type Principal, whyLacking } from '../kernel/principal.ts';
import type { Admission } from './admission.ts';
import { BODY_LIMIT, bounded, PUBLIC_BODY_LIMIT } from './body-limit.ts';
import { healthRoutes, type Readiness, type Unready } from './health-routes.ts';
import { openapiRoute } from './openapi.ts';
import { mayUse } from './rest/access.ts';
import { errorReply } from './rest/error-reply.ts';
import { continueExchange, exchangeOf } from './rest/exchange.ts';
import type { RestDeps } from './rest/deps.ts';
import { internalRoutes, restRoutes } from './rest/routes.ts';
import type { WaysIn } from './security.ts';
import { sessionRoutes } from './session/routes.ts';
import type { Sessions } from './session/sessions.ts';

export interface PagesOptions {
  version: string;
  /** False until every backend has tried to start once. */
  ready(): boolean;
  /** Why this replica wants no requests though it has started. */
  unready?(): Unready | undefined;
  /** What is wrong with the store. */
  storeTrouble?(): Readiness['store'];
  routes: readonly Route[];
  /** The tools, for the REST endpoints. */
  rest: Pick<RestDeps, 'gateway'>;
  stopping?: RestDeps['stopping'];
  /** How callers authenticate. */
  security?(): WaysIn;
  /** Browsers that are signed in to the console. */
  sessions?: Sessions | undefined;
  /** The WWW-Authenticate header for an authenticated caller that lacks a scope. */
  insufficient?(request: IncomingMessage, scope: string): string;
  /** Identifies the caller; not called for public routes. */
  identify(request: IncomingMessage, response: ServerResponse): Admission | Promise<Admission>;
  /** The network address of the caller. */
  addressOf(request: IncomingMessage): string;
}

/** Answers one request. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Everything over HTTP that is not MCP: health, REST, its description, and a page for browsers. */
export function createPages(options: PagesOptions): Pages {
  const { version, identify, addressOf, sessions } = options;
  const rest = { ...options.rest, version, ready: options.ready, stopping: options.stopping };
  const security = options.security ?? (() => ({ open: true, keys: false, issuers: [] }));
  const routes: Route[] = [
    ...healthRoutes(options),
    ...restRoutes(rest),
    ...sessionRoutes({ version, gateway: rest.gateway, sessions, security }),
    ...options.routes,
  ];
  const elsewhere = internalRoutes(rest).map(notHere);
  const described = openapiRoute({ version, routes, ...(options.security && { security: options.security }) });
  return serveRoutes(
    [...elsewhere, ...routes, described],
    { identify, addressOf },
    {
      insufficient: options.insufficient ?? ((_, scope) => `Bearer error="insufficient_scope", scope="${scope}"`),
      nothing: 'MCP is at /mcp, the status at /api/v1/status; /openapi.json describes the rest.',
      told: (...asked) => rest.gateway.told(...asked),
    },
  );
}

/** The same for other services on this machine: without a key, and only the internal routes. */
export function createInternalPages(
  options: Pick<PagesOptions, 'version' | 'ready' | 'rest' | 'stopping'> & { principal(): Principal },
): Pages {
  const { version, ready, stopping } = options;
  const rest = { ...options.rest, version, ready, stopping };
  const [alive, ...others] = [healthRoutes(options)[0] as Route, ...internalRoutes(rest)];
  const callers = { identify: () => ({ principal: options.principal() }), addressOf: () => '' };
  return serveRoutes([alive, ...others], callers, {
    nothing: `This listener serves ${others.map(({ path }) => path).join(', ')} and ${alive.path}.`,
    missing: 'which this listener does not grant. Add it to server.internal.scopes.',
    told: (...asked) => rest.gateway.told(...asked),
  });
}

type Bindings = { Bindings: HttpBindings };

function serveRoutes(
  unsorted: readonly Route[],
  { identify, addressOf }: Pick<PagesOptions, 'identify' | 'addressOf'>,
  words: {
    nothing: string;
    /** Why a scope is missing, if that is not the key's fault. */
    missing?: string;
    /** Turns an error into the one to show. */
    told: CallPath['told'];
    insufficient?(request: IncomingMessage, scope: string): string;
  },
): Pages {
  const app = new Hono<Bindings>();
  const routes = unsorted.toSorted((a, b) => vagueness(a) - vagueness(b));
  for (const route of routes) app.on(route.method ?? 'GET', route.path, (context) => serve(route, context));
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method = 'GET' }) => method);
    const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, ({ req }) => {
      const error = new AppError('wrong_method', `${req.method} is not allowed here. Use ${allow}.`);
      return errorReply(exchangeOf(req.raw), error, { allow });
    });
  }
  app.notFound(({ req }) => {
    const error = new AppError('not_found', `Nothing at ${req.path}. ${words.nothing}`);
    return errorReply(exchangeOf(req.raw), error);
  });
  app.onError((thrown, { req }) => {
    const exchange = exchangeOf(req.raw);
    return errorReply(exchange, words.told(thrown, exchange.trace));
  });

  async function serve(route: Route, { req, env }: Context<Bindings>): Promise<Response> {
    const request = req.raw;
    const isPublic = route.scope === 'public' || route.scope === 'anyone';
    const admission = await callerOf(route, env);
    if ('refusal' in admission) {
      const { status, message, headers } = admission.refusal;
      return errorReply(exchangeOf(request), refusalError(status, message), headers);
    }
    const { principal, isBrowser = false, isInPerson = false, ended } = admission;
    if (!mayUse(principal, route.scope)) {
      const error = new AppError(
        'forbidden',
        `This requires the scope ${route.scope}, ${words.missing ?? whyLacking(principal)}`,
      );
      const challenge = words.insufficient?.(env.incoming, route.scope);
      return errorReply(exchangeOf(request), error, challenge === undefined ? {} : { 'www-authenticate': challenge });
    }
    if (route.ofEverybody && !isPublic && ownCalls(principal)) {
      const error = new AppError(
        'forbidden',
        "This shows the calls of all callers, but this key is limited to some tools. /api/v1/events and /api/v1/status show the key's own calls and servers.",
      );
      return errorReply(exchangeOf(request), error);
    }
    const whole = await bounded(request, isPublic ? PUBLIC_BODY_LIMIT : BODY_LIMIT);
    if (whole !== request) continueExchange(request, whole);
    return route.handle({
      request: whole,
      params: req.param(),
      principal,
      isBrowser,
      ...(ended !== undefined && { ended }),
      isInPerson,
      get address() {
        return addressOf(env.incoming);
      },
    });
  }

  async function callerOf(
    { scope }: Route,
    { incoming, outgoing }: HttpBindings,
  ): Promise<Admission & { readonly ended?: string }> {
    if (scope === 'public') return nobody;
    const { authorization, 'x-api-key': apiKey } = incoming.headers;
    const admission = await identify(incoming, outgoing);
    const isUnknown = 'refusal' in admission && admission.refusal.status === 401;
    // A wrong credential is said to be wrong; without one, or with a session that has ended, it is nobody who asks.
    if (scope !== 'anyone' || !isUnknown || (authorization ?? apiKey) !== undefined) return admission;
    const { ended } = admission.refusal;
    return { ...nobody, ...(ended !== undefined && { ended }) };
  }

  // Do not replace the global Request and Response: other parts of the program use them.
  return getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false });
}

/** The first match wins, so put /login/callback before /login/:server, and both before /login/*. */
const vagueness = ({ path }: Route): number => (path.endsWith('*') ? 2 : Number(path.includes(':')));

/** The caller of a public route. */
const nobody: { readonly principal: Principal } = { principal: { id: 'anonymous', scopes: new Set() } };

function refusalError(status: number, message: string): AppError {
  if (status === 401) return new AppError('unauthenticated', message);
  if (status === 403) return new AppError('forbidden', message);
  if (status === 503) return new AppError('unavailable', message, { saysWhen: true });
  return new AppError(status === 429 ? 'rate_limited' : 'invalid_input', message);
}

/** Answers for an internal endpoint on the public listener. */
function notHere({ method, path }: Route): Route {
  const why = 'is served on the internal listener only. Set server.internal, or leave "/internal" out of the path.';
  return {
    ...(method && { method }),
    path,
    scope: 'public',
    handle() {
      throw new AppError('not_found', `${path} ${why}`);
    },
  };
}
