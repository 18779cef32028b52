import { AppError } from '../../kernel/errors.ts';
import { localOwner, type Principal } from '../../kernel/principal.ts';
import type { CallContext, Json } from '../../kernel/source.ts';
import type { Credentials, OAuthSettings } from '../../wire/credentials.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import { askClient } from '../era.ts';
import type { BackendSettings } from '../settings.ts';

/** A server that may need a login. */
export interface SignInTarget {
  name: string;
  url: string;
  oauth?: OAuthSettings;
  perPrincipal: boolean;
  allowInternal: boolean;
}

/** Signs in to servers. The gateway does not know how. */
export interface SignIn {
  credentials(target: SignInTarget, principal: Principal): Credentials;
  /** A page where this caller can sign in; undefined if there is none, or another person has to do it. */
  link(target: SignInTarget, principal: Principal): string | undefined;
  /** Calls the listener whenever somebody has signed in, with the server and the principal. */
  onSignIn(listener: (target: SignInTarget, principal: Principal) => void): () => void;
}

/** The server to sign in to. Undefined for a program, and for a server whose secret is in the configuration. */
export function signInTarget(name: string, settings: BackendSettings): SignInTarget | undefined {
  const { transport, oauth, isolation, allowInternal } = settings;
  if (transport.kind === 'stdio' || oauth === false) return undefined;
  if (Object.keys(transport.headers).some((header) => header.toLowerCase() === 'authorization')) return undefined;
  const perPrincipal = isolation === 'principal';
  return { name, url: transport.url, perPrincipal, allowInternal, ...(oauth && { oauth }) };
}

/** With `isolation: principal`, the owner's login reads what a server offers. */
export const readsAs: Principal = localOwner;

const VISIT_MS = 5 * 60_000;

/**
 * A call needs somebody to sign in first. If the client can open pages, it opens one, and the call continues once the
 * user has signed in. Any other client gets an error that says how to sign in.
 */
export async function askToSignIn(
  signIn: SignIn,
  backend: { name: string; settings: BackendSettings },
  context: CallContext,
  error: AppError,
): Promise<'signed in' | AppError> {
  const target = signInTarget(backend.name, backend.settings);
  const url = target && signIn.link(target, context.principal);
  if (!target || url === undefined) return told(error, target, undefined);
  const elicitation = context.client.capabilities.elicitation;
  if (!isObject(elicitation) || elicitation.url === undefined) return told(error, target, url);
  const elicitationId = crypto.randomUUID();
  const waiting = untilSignedIn(signIn, target, context);
  try {
    const outcome = await askClient(context, 'elicitation/create', {
      mode: 'url',
      message: `${backend.name} needs a login. Open the page to sign in.`,
      url,
      // 2026 has no ids for questions.
      ...(context.client.era === 'legacy' && { elicitationId }),
    } satisfies Json);
    if ('error' in outcome || outcome.result.action !== 'accept') return told(error, target, url);
    if (!(await waiting.done)) return told(error, target, signIn.link(target, context.principal));
    if (context.client.era === 'legacy') context.notify('notifications/elicitation/complete', { elicitationId });
    return 'signed in';
  } finally {
    waiting.stop();
  }
}

function told(error: AppError, target: SignInTarget | undefined, url: string | undefined): AppError {
  const command = target && `\`sluice login ${target.name}\``;
  const how =
    url === undefined
      ? `The owner of the gateway has to sign in with ${command}.`
      : `Ask the user to open ${url} in a browser (it works once, for 15 minutes), or to run ${command}. Then call again.`;
  const { message: what } = error.cause instanceof AppError ? error.cause : error;
  return new AppError(error.code, `${what} ${how}`, {
    cause: error,
    data: { needsLogin: true, ...(url !== undefined && { login: url }) },
  });
}

function untilSignedIn(signIn: SignIn, { url, perPrincipal }: SignInTarget, context: CallContext) {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stopListening = signIn.onSignIn((at, principal) => {
    if (at.url === url && (!perPrincipal || principal.id === context.principal.id)) resolve(true);
  });
  const timer = setTimeout(() => resolve(false), VISIT_MS);
  const onAbort = () => resolve(false);
  context.signal.addEventListener('abort', onAbort, { once: true });
  return {
    done: promise,
    stop(): void {
      stopListening();
      clearTimeout(timer);
      context.signal.removeEventListener('abort', onAbort);
    },
  };
}
