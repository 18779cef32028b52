import { z } from 'zod';
import type { Gateway } from '../../gateway/gateway.ts';
import { AppError } from '../../kernel/errors.ts';
import { isMarkedElsewhere } from '../../kernel/other-page.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Route, RouteRequest } from '../../kernel/route.ts';
import { answer } from '../rest/operation.ts';
import { readObject } from '../rest/json-body.ts';
import type { WaysIn } from '../security.ts';
import { issuerRoutes } from './issuer-routes.ts';
import { SESSION_PATH } from './paths.ts';
import type { Sessions } from './sessions.ts';

const session = z.object({
  signedIn: z.boolean(),
  open: z.boolean().describe('Authentication is off: everybody on this machine may do everything'),
  principal: z.string().optional().describe('The id of whoever asks'),
  name: z.string().optional(),
  scopes: z.union([z.literal('all'), z.array(z.string())]).optional(),
  readOnly: z.boolean().optional(),
  csrf: z.string().optional().describe('For X-Sluice-Csrf, in requests with a cookie that change something'),
  expires: z.string().optional().describe('When the session ends'),
  version: z.string().optional(),
  sources: z.array(z.string()).optional().describe('Servers and parts whose tools whoever asks may see'),
  ended: z.string().optional().describe('Why the session of this browser does not hold any more'),
  ways: z
    .object({
      key: z.boolean(),
      token: z.boolean().describe('An access token does, too'),
      password: z.boolean().describe("The owner's"),
      issuer: z.string().optional().describe('The host of the authorization server to which GET /api/v1/sign-in leads'),
    })
    .optional()
    .describe('How to sign in'),
});

export interface SessionRoutesDeps {
  readonly version: string;
  readonly gateway: Pick<Gateway, 'visibility'>;
  readonly sessions: Sessions | undefined;
  security(): WaysIn;
}

/** Signing in to the console, and out. */
export function sessionRoutes(deps: SessionRoutesDeps): Route[] {
  const { sessions } = deps;
  return [
    {
      path: SESSION_PATH,
      scope: 'anyone',
      get openapi() {
        return {
          operationId: 'session',
          summary: 'Who asks, and how to sign in',
          tags: ['session'],
          responses: { 200: answer('The session', session) },
        };
      },
      handle: (asked) => reply(current(deps, asked), clearing(deps, asked)),
    },
    {
      method: 'POST',
      path: SESSION_PATH,
      scope: 'anyone',
      get openapi() {
        const password = { type: 'string', description: "The owner's; instead of a key or token in Authorization" };
        const schema = { type: 'object', properties: { password } };
        return {
          operationId: 'signIn',
          summary: 'Signs a browser in: answers with a cookie that holds as long as the credential',
          tags: ['session'],
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 200: answer('The session', session) },
        };
      },
      handle: async (asked) => {
        if (!sessions || deps.security().open)
          throw new AppError('conflict', 'Authentication is off: there is nothing to sign in to.');
        const { request, principal } = asked;
        if (isMarkedElsewhere(request.headers.get('sec-fetch-site')))
          throw new AppError('forbidden', 'Forbidden: another page sent this request.');
        const credential = credentialIn(request);
        const proof =
          isKnown(principal) && credential !== undefined ? { credential } : await byPassword(asked, sessions);
        const { header, held } = await sessions.begin(proof, isSecure(request));
        if (!('credential' in proof)) return reply({ signedIn: true, open: false }, header);
        return reply({ ...known(deps, principal), csrf: sessions.cookies.csrfOf(held) }, header);
      },
    },
    {
      method: 'DELETE',
      path: SESSION_PATH,
      scope: 'anyone',
      get openapi() {
        return {
          operationId: 'signOut',
          summary: 'Signs a browser out',
          tags: ['session'],
          responses: { 200: answer('The session', session) },
        };
      },
      handle: async ({ request, isBrowser }) => {
        if (isBrowser) await sessions?.end(cookieIn(request));
        return reply({ signedIn: false, open: deps.security().open }, sessions?.cookies.clear(isSecure(request)));
      },
    },
    ...issuerRoutes(sessions),
  ];
}

type Session = z.output<typeof session>;

function current(deps: SessionRoutesDeps, { request, principal, isBrowser, ended }: RouteRequest): Session {
  const { open, keys, issuers } = deps.security();
  const { cookies, owner, issuer } = deps.sessions ?? {};
  const cookie = cookieIn(request);
  if (!isKnown(principal)) {
    return {
      signedIn: false,
      open,
      ways: {
        key: keys,
        token: issuers.length > 0,
        password: owner !== undefined,
        ...(issuer && { issuer: issuer.door.name }),
      },
      ...(ended !== undefined && { ended }),
    };
  }
  const held = isBrowser ? cookies?.read(cookie) : undefined;
  return {
    ...known(deps, principal),
    open,
    ...(cookies && held && { csrf: cookies.csrfOf(held), expires: new Date(cookies.expires(held)).toISOString() }),
  };
}

function known({ version, gateway }: SessionRoutesDeps, principal: Principal): Session {
  const { id, name, scopes, readOnly } = principal;
  const sources = new Set(gateway.visibility.tools({ view: {}, principal }).map(({ source }) => source));
  return {
    signedIn: true,
    open: false,
    principal: id,
    ...(name !== undefined && { name }),
    scopes: scopes === 'all' ? 'all' : [...scopes],
    ...(readOnly && { readOnly }),
    version,
    sources: [...sources],
  };
}

async function byPassword({ request, address }: RouteRequest, { owner }: Sessions): Promise<{ owner: string }> {
  const { password } = await readObject(request);
  if (typeof password !== 'string')
    throw new AppError('invalid_input', 'Send a key or token in Authorization, or {"password": "…"} of the owner.');
  if (!owner)
    throw new AppError('not_found', 'Only the built-in authorization server has a password. Sign in with a key.');
  const opened = await owner.open(password, address);
  if ('proof' in opened) return { owner: opened.proof };
  const { refused, retryAfter } = opened;
  throw retryAfter === undefined
    ? new AppError('unauthenticated', refused)
    : new AppError('rate_limited', refused, { data: { retryAfter } });
}

const cookieIn = ({ headers }: Request): string | undefined => headers.get('cookie') ?? undefined;

const isKnown = ({ id }: Principal): boolean => id !== 'anonymous';

const credentialIn = ({ headers }: Request): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? headers.get('x-api-key') ?? undefined;

/** A cookie that does not hold any more only makes each request slower. */
function clearing({ sessions }: SessionRoutesDeps, { request, principal }: RouteRequest): string | undefined {
  const isStale = !isKnown(principal) && sessions?.cookies.isIn(cookieIn(request));
  return isStale ? sessions?.cookies.clear(isSecure(request)) : undefined;
}

/** As the browser sees it: a proxy may end TLS. */
const isSecure = ({ headers, url }: Request): boolean =>
  (headers.get('origin') ?? headers.get('referer') ?? url).startsWith('https:');

function reply(body: Session, cookie: string | undefined): Response {
  return Response.json(body, {
    headers: { 'cache-control': 'no-store', ...(cookie !== undefined && { 'set-cookie': cookie }) },
  });
}
