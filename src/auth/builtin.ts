import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, messageOf } from '../kernel/errors.ts';
import { late } from '../kernel/late.ts';
import type { Store } from '../store/store.ts';
import { type AddressGuard, documentFetch } from './client-documents.ts';
import type { TrustedIssuer } from './jwt.ts';
import { passwordCheck } from './owner.ts';
import { offeredScopes } from './resource.ts';
import { createSeal } from '../kernel/seal.ts';
import { publicPart, signingKeys } from './signing-keys.ts';

export interface BuiltinDeps {
  store: Pick<Store, 'settings' | 'oauth' | 'shared'>;
  /** The public URL without a trailing slash. */
  issuer(): string;
  /** The owner's password, if the configuration has one. */
  password(): string | undefined;
  /** Reports a wrong password. Waits, or returns for how many seconds further passwords are rejected. */
  failed(request: IncomingMessage, reason: string): Promise<{ retryAfter: number } | undefined>;
  /** For how many seconds passwords from this address are rejected, if they are. */
  exhausted?(request: IncomingMessage): { retryAfter: number } | undefined;
  isAllowedOrigin(origin: string): boolean;
  /** Absent if clients may have internal addresses. */
  addressGuard?: AddressGuard | undefined;
  /** Fetches a client's document, after the guard. */
  fetch?: (url: string | URL, options: RequestInit) => Promise<Response>;
  /** Called when a grant was revoked: cached verdicts on its tokens are invalid. */
  revoked?(): void;
  warn?(message: string): void;
}

export interface Builtin {
  readonly issuer: TrustedIssuer;
  /** Whether the request is for the authorization server. If so, it is being answered. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const METADATA = /^\/\.well-known\/(oauth-authorization-server|openid-configuration)(?:\/.*)?$/;

/** The built-in authorization server for self-hosting. Its library is loaded at the first sign-in. */
export function createBuiltin(deps: BuiltinDeps): Builtin {
  const { store } = deps;
  const secret = async (name: string) => store.settings.secret(`oauth.${name}`);
  const keys = late(async () => signingKeys(store, createSeal(await secret('seal'))));
  const handler = late(() => start(deps, keys));

  return {
    issuer: {
      get issuer() {
        return deps.issuer();
      },
      keys: late(async () => {
        const { createLocalJWKSet } = await import('jose');
        return createLocalJWKSet({ keys: (await keys()).map(publicPart) });
      }),
      async revoked({ grant }) {
        // Trying would take as long as a connection may, for each call.
        if (store.shared.cutOffSince() !== undefined) throw new AppError('unavailable', 'The store cannot be reached.');
        return typeof grant !== 'string' || (await store.oauth.find('Grant', grant)) === undefined;
      },
    },
    handle(request, response) {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const document = METADATA.exec(path)?.[1];
      if (document === undefined && !path.startsWith('/oauth/')) return false;
      if (document !== undefined) request.url = `/.well-known/${document}`;
      handler()
        .then((handle) => handle(request, response))
        .catch((error: unknown) => {
          deps.warn?.(`The built-in authorization server failed: ${messageOf(error)}`);
          if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
          response.end('{"error":"server_error"}');
        });
      return true;
    },
  };
}

async function start(deps: BuiltinDeps, keys: () => ReturnType<typeof signingKeys>): Promise<Handler> {
  const [{ createProvider, paths }, { createInteractions }] = await Promise.all([
    import('./provider.ts'),
    import('./interaction.ts'),
  ]);
  const { store } = deps;
  const issuer = deps.issuer();
  if (!URL.canParse(issuer))
    throw new AppError(
      'internal',
      'The built-in authorization server has no valid URL of its own. Check server.publicUrl.',
    );
  const { origin, host, protocol, pathname } = new URL(issuer);
  const basePath = pathname.replace(/\/$/, '');
  const [seal, cookies, csrf] = await Promise.all(
    ['seal', 'cookies', 'csrf'].map((name) => store.settings.secret(`oauth.${name}`)),
  );
  const provider = createProvider({
    issuer,
    store,
    seal: createSeal(seal as Buffer),
    keys: await keys(),
    cookieKey: (cookies as Buffer).toString('base64url'),
    fetch: documentFetch(deps.addressGuard, deps.fetch),
    isAllowedOrigin: deps.isAllowedOrigin,
  });
  provider.on('grant.revoked', () => deps.revoked?.());
  provider.on('server_error', (_ctx, error) =>
    deps.warn?.(`The built-in authorization server failed: ${error.message}`),
  );
  const interact = createInteractions({
    provider,
    origin,
    csrfKey: csrf as Buffer,
    check: passwordCheck(store.settings, deps.password),
    failed: deps.failed,
    exhausted: (request) => deps.exhausted?.(request),
  });
  const answer = provider.callback();

  return async (request, response) => {
    // Build URLs from the issuer, no matter which host name or proxy the request used.
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    const url = (request.url = withDefaultScope(request.url ?? '', paths.authorize));
    (request as IncomingMessage & { originalUrl?: string }).originalUrl = `${basePath}${url}`;
    if (url.startsWith(`${paths.interaction}/`)) await interact(request, response);
    else await answer(request, response);
  };
}

/** A client that asks for no scope gets the default scopes, for using tools. */
function withDefaultScope(url: string, authorize: string): string {
  // Split at the first question mark only: a redirect_uri may contain another one.
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  if (path !== authorize) return url;
  const params = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  if ((params.get('scope') ?? '').split(' ').some((scope) => scope.includes(':') || scope === 'admin')) return url;
  const asked = (params.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  params.set('scope', [...asked, ...offeredScopes].join(' '));
  return `${path}?${params.toString()}`;
}
