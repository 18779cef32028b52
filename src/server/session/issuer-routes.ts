import { AppError } from '../../kernel/errors.ts';
import type { Route, RouteRequest } from '../../kernel/route.ts';
import { LEAVE_PATH, RETURN_PATH } from './paths.ts';
import type { IssuerEntrance, Sessions } from './sessions.ts';

/** Leaving for the issuer's page, and coming back. Both are navigations of a browser, so they answer with a redirect. */
export function issuerRoutes(sessions: Sessions | undefined): Route[] {
  if (!sessions?.issuer) return [];
  const { issuer } = sessions;
  const redirect = { 303: { description: 'To the page of the authorization server, or to the console' } };
  return [
    {
      path: LEAVE_PATH,
      scope: 'public',
      openapi: {
        operationId: 'signInElsewhere',
        summary: 'Sends a browser to the authorization server of the configuration',
        tags: ['session'],
        parameters: [{ name: 'to', in: 'query', required: false, schema: { type: 'string' } }],
        responses: redirect,
      },
      handle: (asked) => leave(sessions, issuer, asked),
    },
    {
      path: RETURN_PATH,
      scope: 'public',
      openapi: {
        operationId: 'signedInElsewhere',
        summary: 'Where the authorization server sends the browser back to',
        tags: ['session'],
        responses: redirect,
      },
      handle: (asked) => comeBack(sessions, issuer, asked),
    },
  ];
}

/** Why it did not work, as the console's sign-in page explains it. */
type Failure = 'refused' | 'lost' | 'unavailable' | 'slow-down';

async function leave(
  { cookies }: Sessions,
  { door, base, exhausted }: IssuerEntrance,
  { request, address }: RouteRequest,
): Promise<Response> {
  const to = pageIn(new URL(request.url).searchParams.get('to') ?? '');
  if (exhausted(address)) return toSignIn('slow-down', to);
  const own = base(request.headers.get('host'));
  try {
    const { url, attempt } = await door.begin(own);
    return redirected(url, cookies.writeAway({ to, attempt }, own.startsWith('https:')));
  } catch (error) {
    return failed(error, to);
  }
}

async function comeBack(
  sessions: Sessions,
  { door, base, failed: count, exhausted }: IssuerEntrance,
  { request, address }: RouteRequest,
): Promise<Response> {
  const { cookies } = sessions;
  const isSecure = base(request.headers.get('host')).startsWith('https:');
  const forget = cookies.clearAway(isSecure);
  const away = cookies.readAway(request.headers.get('cookie') ?? undefined);
  if (!away) return toSignIn('lost', '', forget);
  if (exhausted(address)) return toSignIn('slow-down', away.to, forget);
  try {
    const issued = await door.finish(away.attempt, new URL(request.url).searchParams);
    const { header } = await sessions.begin({ credential: issued.tokens.access, issued }, isSecure);
    return redirected(`../../${away.to}`, header, forget);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated')
      await count(address, `${door.name} refused the sign-in`);
    return failed(error, away.to, forget);
  }
}

function failed(error: unknown, to: string, ...cookies: string[]): Response {
  if (!(error instanceof AppError)) throw error;
  return toSignIn(error.code === 'unauthenticated' ? 'refused' : 'unavailable', to, ...cookies);
}

function toSignIn(why: Failure, to: string, ...cookies: string[]): Response {
  const [path = '', query = ''] = to.split('?');
  const asked = new URLSearchParams(query);
  asked.set('sign-in', why);
  return redirected(`../../${path === '' ? 'console' : path}?${asked.toString()}`, ...cookies);
}

/** A page of the console, relative to our root; anything else leads to the first page. */
function pageIn(given: string): string {
  const url = given.length <= 1000 ? URL.parse(given, 'http://here/') : null;
  if (url?.host !== 'here' || !/^\/console(?:\/|$)/.test(url.pathname)) return '';
  return `${url.pathname.slice(1)}${url.search}`;
}

/** Addresses are relative: a proxy may serve us below a path. */
function redirected(location: string, ...cookies: readonly string[]): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}
