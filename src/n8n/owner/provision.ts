import { z } from 'zod';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { Login } from '../client/session.ts';
import { saysItStarts, saysNotReady } from '../client/starting.ts';

const ANSWER_MS = 30_000;
/** The code of n8n's answer to a login that lacks the second factor. */
const SECOND_FACTOR = 998;

/** The owner of an n8n, and the key that Sluice has for it. */
export interface Owner extends Login {
  readonly apiKey?: string | undefined;
}

/** What differs between an n8n that Sluice runs and one that it only uses. */
export interface Provisioning {
  /** The name of the key in n8n. An older key of this user and name is deleted. */
  readonly label: string;
  /** What to do if n8n does not accept the owner's password. */
  readonly wrongPassword: string;
  /** What to do if n8n wants more than the password. */
  readonly secondFactor: string;
  /** Where to look if n8n refuses something else. */
  readonly lookAt?: string;
}

interface Answer {
  readonly status: number;
  /** n8n's `data`, or the whole answer if it has none. */
  readonly data: unknown;
  readonly cookie: string;
}

const refusal = z.object({ message: z.string().optional().catch(undefined), code: z.unknown().optional() }).catch({});
const settings = z.object({ userManagement: z.object({ showSetupOnFirstLoad: z.boolean() }) });
const keyList = z.array(z.object({ id: z.string(), label: z.string() }));
/** Newer versions page their answer. */
const keys = z.union([keyList, z.object({ items: keyList }).transform(({ items }) => items)]);
const madeKey = z.object({ rawApiKey: z.string() });

/**
 * Makes sure that the owner and a working API key exist, whatever there was before: nothing, an owner without a key, or a
 * key that n8n no longer accepts. Returns the key.
 */
export async function provision(
  url: string,
  owner: Owner,
  { label, wrongPassword, secondFactor, lookAt = '' }: Provisioning,
  signal?: AbortSignal,
): Promise<string> {
  const expectOk = (answer: Answer, what: string) => assertOk(url, answer, what, lookAt);
  if (owner.apiKey !== undefined && (await works(owner.apiKey))) return owner.apiKey;
  const cookie = await signIn();
  const send = (method: string, path: string, body?: unknown) => ask(url, method, path, { cookie, body, signal });

  const allowed = await send('GET', '/rest/api-keys/scopes');
  if (allowed.status === 404)
    throw new AppError(
      'unsupported',
      `The public API of n8n at ${url} is switched off: unset N8N_PUBLIC_API_DISABLED.`,
    );
  const scopes = expectOk(allowed, 'list the scopes of an API key');
  // n8n shows a key only once and allows no label twice, so delete the key that was lost. An owner sees everybody's keys.
  const query = `?ownership=mine&label=${encodeURIComponent(label)}`;
  const known = read(keys, expectOk(await send('GET', `/rest/api-keys${query}`), 'list its API keys'), 'its API keys');
  for (const { id } of known.filter((key) => key.label === label))
    expectOk(await send('DELETE', `/rest/api-keys/${encodeURIComponent(id)}`), 'delete an old API key');
  const made = expectOk(await send('POST', '/rest/api-keys', { label, scopes, expiresAt: null }), 'create an API key');
  return read(madeKey, made, 'the API key that it created').rawApiKey;

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
      const wantsMore = refusal.parse(login.data).code === SECOND_FACTOR;
      throw new AppError('unauthenticated', wantsMore ? secondFactor : wrongPassword);
    }
    expectOk(login, 'log its owner in');
    return login.cookie;
  }

  async function lacksOwner(): Promise<boolean> {
    const { data } = await ask(url, 'GET', '/rest/settings', { signal });
    return settings.safeParse(data).data?.userManagement.showSetupOnFirstLoad === true;
  }
}

function read<T>(shape: z.ZodType<T>, data: unknown, what: string): T {
  const { success, data: found } = shape.safeParse(data);
  if (!success) throw new AppError('unsupported', `n8n shows ${what} in a way that Sluice does not know.`);
  return found;
}

interface Ask {
  cookie?: string;
  apiKey?: string;
  body?: unknown;
  signal: AbortSignal | undefined;
}

async function ask(url: string, method: string, path: string, { cookie, apiKey, body, signal }: Ask): Promise<Answer> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      // A password goes nowhere else than to the address that the user wrote.
      redirect: 'manual',
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...(apiKey !== undefined && { 'x-n8n-api-key': apiKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const text = await response.text();
    const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
    const data = dataIn(text);
    const isStarting = saysItStarts(text) || saysNotReady(data ?? text);
    return { status: isStarting ? 503 : response.status, data, cookie: cookies.join('; ') };
  } catch (cause) {
    signal?.throwIfAborted();
    throw new AppError('unavailable', `n8n does not answer at ${url}.`, { cause });
  }
}

function dataIn(text: string): unknown {
  try {
    const parsed = JSON.parse(text) as { data?: unknown } | null;
    return parsed?.data ?? parsed;
  } catch {
    return undefined;
  }
}

/** Returns the data of a good answer. The error of a bad one is retryable only if n8n may answer otherwise in a moment. */
function assertOk(url: string, { status, data }: Answer, what: string, lookAt: string): unknown {
  if (status >= 200 && status < 300) return data;
  if (status >= 300 && status < 400)
    throw new AppError('unsupported', `${url} answers with a redirect: write the address that it redirects to.`);
  const { message } = refusal.parse(data);
  const why = message ? `: ${message.slice(0, 200)}` : '';
  const starts = status === 503 ? ` It is still starting, or ${url} is not the address of n8n.` : '';
  throw new AppError(codeOf(status), `n8n did not ${what} (HTTP ${status}${why}).${starts} ${lookAt}`.trim());
}

function codeOf(status: number): ErrorCode {
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'unavailable' : 'forbidden';
}
