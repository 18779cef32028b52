import { computed, signal } from '@preact/signals';
import { Failed, get, onApi, send, useCsrf } from './api.ts';

/** Who looks at the console. */
export interface Session {
  readonly signedIn: boolean;
  /** Nobody needs to sign in: authentication is off, and only this machine can connect. */
  readonly open: boolean;
  readonly principal?: string;
  readonly name?: string;
  readonly scopes?: 'all' | readonly string[];
  readonly readOnly?: boolean;
  readonly csrf?: string;
  readonly version?: string;
  /** The sources that it may see. */
  readonly sources?: readonly string[];
  /** Why the session of this browser does not count any more. */
  readonly ended?: string;
  readonly ways?: WaysIn;
}

/** How to sign in. */
export interface WaysIn {
  readonly key: boolean;
  /** An access token of an authorization server does, too. */
  readonly token: boolean;
  readonly password: boolean;
  /** The host of the authorization server where people sign in. */
  readonly issuer?: string;
}

export const session = signal<Session | undefined>(undefined);
/** Why the session ended while the page was open. */
export const ended = signal<string | undefined>(undefined);
/** Since when the gateway does not answer. */
export const lostSince = signal<number | undefined>(undefined);
/** Counts how often the gateway came back. What depends on it asks again. */
export const revived = signal(0);

const scopes = computed(() => new Set(session.value?.scopes === 'all' ? [] : session.value?.scopes));

/** Whether whoever looks may see what has this scope, as the server judges it. */
export function may(scope: string): boolean {
  const own = scopes.value;
  if (session.value?.scopes === 'all' || own.has('admin') || own.has(scope)) return true;
  const isOfSource = /^[\w-]+:(?:read|write|execute)$/.test(scope) && !scope.startsWith('tools:');
  if (isOfSource) return own.has('tools:execute');
  // A scope of one source is enough to see tools.
  return (
    scope === 'tools:read' && [...own].some((one) => one === 'tools:execute' || /:(read|write|execute)$/.test(one))
  );
}

export const hasSource = (source: string): boolean => session.value?.sources?.includes(source) ?? true;

/** Asks who looks. */
export async function loadSession(): Promise<void> {
  const next = await get<Session>('api/v1/session');
  useCsrf(next.csrf);
  if (next.ended !== undefined) ended.value = next.ended;
  session.value = next;
}

export async function signIn(credential: { key: string } | { password: string }): Promise<void> {
  if ('key' in credential)
    await send('POST', 'api/v1/session', undefined, { authorization: `Bearer ${credential.key}` });
  else await send('POST', 'api/v1/session', credential);
  ended.value = undefined;
  await loadSession();
}

export async function signOut(why = 'You are signed out.'): Promise<void> {
  // In another tab, one may have signed in anew.
  await loadSession();
  await send('DELETE', 'api/v1/session');
  await loadSession();
  ended.value = why;
}

let checking = false;

async function check(): Promise<void> {
  if (checking || !session.value?.signedIn) return;
  checking = true;
  try {
    await loadSession();
    if (!session.value.signedIn) ended.value ??= 'Your session has ended. Sign in again.';
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
  } finally {
    checking = false;
  }
}

/** Notices when the session ends, or when somebody else signs in in another tab. */
export function watchSession(): void {
  onApi({
    refused: () => void check(),
    reached(reached) {
      if (!reached) lostSince.value ??= Date.now();
      else if (lostSince.value !== undefined) {
        lostSince.value = undefined;
        revived.value++;
        void check();
      }
    },
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void check();
  });
}
