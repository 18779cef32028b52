import { AppError } from '../../kernel/errors.ts';
import type { Login } from '../client/session.ts';
import { saysItStarts, saysNotReady } from '../client/starting.ts';

const ANSWER_MS = 30_000;

/** The owner of an n8n, and the key that Sluice has for it. */
export interface Owner extends Login {
  readonly apiKey?: string | undefined;
}

/** What differs between an n8n that Sluice runs and one that it only uses. */
export interface Provisioning {
  /** The name of the key in n8n. An older key of this name is deleted. */
  readonly label: string;
  /** What to do if n8n does not accept the owner's password. */
  readonly wrongPassword: string;
  /** Where to look if n8n refuses something else. */
  readonly lookAt?: string;
}

interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly cookie: string;
}

/**
 * Makes sure that the owner and a working API key exist, whatever there was before: nothing, an owner without a key, or a
 * key that n8n no longer accepts. Returns the key.
 */
export async function provision(
  url: string,
  owner: Owner,
  { label, wrongPassword, lookAt = '' }: Provisioning,
  signal?: AbortSignal,
): Promise<string> {
  const expectOk = (answer: Answer, what: string) => assertOk(answer, what, lookAt);
  if (owner.apiKey !== undefined && (await works(owner.apiKey))) return owner.apiKey;
  const cookie = await signIn();
  const send = (method: string, path: string, body?: unknown) => ask(url, method, path, { cookie, body, signal });

  const scopes = expectOk(await send('GET', '/rest/api-keys/scopes'), 'list the scopes of an API key');
  // n8n shows a key only once and allows no label twice, so delete the key that was lost.
  for (const id of labelled(
    expectOk(await send('GET', `/rest/api-keys?label=${encodeURIComponent(label)}`), 'list its API keys'),
    label,
  )) {
    expectOk(await send('DELETE', `/rest/api-keys/${encodeURIComponent(id)}`), 'delete an old API key');
  }
  const made = expectOk(await send('POST', '/rest/api-keys', { label, scopes, expiresAt: null }), 'create an API key');
  const key = (made as { rawApiKey?: unknown } | undefined)?.rawApiKey;
  if (typeof key !== 'string') throw new AppError('internal', 'n8n created an API key, but did not show it.');
  return key;

  async function works(apiKey: string): Promise<boolean> {
    const answer = await ask(url, 'GET', '/api/v1/workflows?limit=1', { apiKey, signal });
    if (answer.status === 401 || answer.status === 403) return false;
    expectOk(answer, 'answer an API request');
    return true;
  }

  /** The cookie of the owner, who is set up first if n8n has none. */
  async function signIn(): Promise<string> {
    const { email, password } = owner;
    const body = { email, password, firstName: 'Sluice', lastName: 'Owner' };
    const setUp = await ask(url, 'POST', '/rest/owner/setup', { body, signal });
    if (setUp.status !== 400) {
      expectOk(setUp, 'set up its owner');
      return setUp.cookie;
    }
    // n8n has an owner already, or does not like the email or the password of this one.
    const credentials = { emailOrLdapLoginId: email, password };
    const login = await ask(url, 'POST', '/rest/login', { body: credentials, signal });
    if (login.status === 401) {
      if (await lacksOwner()) expectOk(setUp, 'set up its owner');
      throw new AppError('unauthenticated', wrongPassword);
    }
    expectOk(login, 'log its owner in');
    return login.cookie;
  }

  async function lacksOwner(): Promise<boolean> {
    const { data } = await ask(url, 'GET', '/rest/settings', { signal });
    const { userManagement } = (data ?? {}) as { userManagement?: { showSetupOnFirstLoad?: unknown } };
    return userManagement?.showSetupOnFirstLoad === true;
  }
}

function labelled(data: unknown, label: string): string[] {
  // Newer versions page their answer.
  const list = Array.isArray(data) ? data : ((data as { items?: unknown } | undefined)?.items ?? []);
  return (list as { id: string; label: string }[]).flatMap((key) => (key.label === label ? [key.id] : []));
}

interface Ask {
  cookie?: string;
  apiKey?: string;
  body?: unknown;
  signal: AbortSignal | undefined;
}

async function ask(url: string, method: string, path: string, { cookie, apiKey, body, signal }: Ask): Promise<Answer> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    method,
    headers: {
      ...(cookie !== undefined && { cookie }),
      ...(apiKey !== undefined && { 'x-n8n-api-key': apiKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new AppError('unavailable', `n8n does not answer at ${url}.`, { cause });
  });
  const text = await response.text();
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
  const data = dataIn(text);
  const isStarting = saysItStarts(text) || saysNotReady(data ?? text);
  return { status: isStarting ? 503 : response.status, data, cookie: cookies.join('; ') };
}

function dataIn(text: string): unknown {
  try {
    const parsed = JSON.parse(text) as { data?: unknown; message?: unknown };
    return parsed.data ?? parsed;
  } catch {
    return undefined;
  }
}

function assertOk({ status, data }: Answer, what: string, lookAt: string): unknown {
  if (status >= 200 && status < 300) return data;
  const { message } = (data ?? {}) as { message?: unknown };
  const why = typeof message === 'string' ? `: ${message.slice(0, 200)}` : '';
  throw new AppError('unavailable', `n8n did not ${what} (HTTP ${status}${why}). ${lookAt}`.trim());
}
