import { AppError } from '../../kernel/errors.ts';
import type { InstanceRecord } from './record.ts';

const LABEL = 'Sluice';
const ANSWER_MS = 30_000;

interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly cookie: string;
}

/**
 * Makes sure that the owner and a working API key exist, whatever there was before: nothing, an owner without a key, or a
 * key that n8n no longer accepts. Returns the key.
 */
export async function provision(url: string, record: InstanceRecord, signal?: AbortSignal): Promise<string> {
  if (record.apiKey !== undefined && (await works(url, record.apiKey, signal))) return record.apiKey;
  const cookie = (await setUpOwner(url, record, signal)) ?? (await logIn(url, record, signal));
  const send = (method: string, path: string, body?: unknown) => ask(url, method, path, { cookie, body, signal });

  const scopes = expectOk(await send('GET', '/rest/api-keys/scopes'), 'list the scopes of an API key');
  // n8n shows a key only once and allows no label twice, so delete the key that was lost.
  for (const id of labelled(expectOk(await send('GET', '/rest/api-keys'), 'list its API keys'))) {
    expectOk(await send('DELETE', `/rest/api-keys/${encodeURIComponent(id)}`), 'delete an old API key');
  }
  const made = expectOk(
    await send('POST', '/rest/api-keys', { label: LABEL, scopes, expiresAt: null }),
    'create an API key',
  );
  const key = (made as { rawApiKey?: unknown } | undefined)?.rawApiKey;
  if (typeof key !== 'string') throw new AppError('internal', 'n8n created an API key, but did not show it.');
  return key;
}

async function works(url: string, apiKey: string, signal: AbortSignal | undefined): Promise<boolean> {
  const answer = await ask(url, 'GET', '/api/v1/workflows?limit=1', { apiKey, signal });
  if (answer.status === 401 || answer.status === 403) return false;
  expectOk(answer, 'answer an API request');
  return true;
}

/** The cookie of the new owner. Undefined if n8n already has an owner. */
async function setUpOwner(url: string, { email, password }: InstanceRecord, signal: AbortSignal | undefined) {
  const body = { email, password, firstName: 'Sluice', lastName: 'Owner' };
  const answer = await ask(url, 'POST', '/rest/owner/setup', { body, signal });
  if (answer.status === 400) return undefined;
  expectOk(answer, 'set up its owner');
  return answer.cookie;
}

async function logIn(url: string, { email, password }: InstanceRecord, signal: AbortSignal | undefined) {
  const body = { emailOrLdapLoginId: email, password };
  const answer = await ask(url, 'POST', '/rest/login', { body, signal });
  if (answer.status === 401) {
    throw new AppError(
      'unauthenticated',
      "The password of this n8n's owner is not the one that Sluice keeps. Write the owner's email and password into the record that `sluice n8n status` names, then run `sluice n8n up` again.",
    );
  }
  expectOk(answer, 'log its owner in');
  return answer.cookie;
}

function labelled(data: unknown): string[] {
  // Newer versions page their answer.
  const list = Array.isArray(data) ? data : ((data as { items?: unknown } | undefined)?.items ?? []);
  return (list as { id: string; label: string }[]).flatMap(({ id, label }) => (label === LABEL ? [id] : []));
}

interface Ask {
  cookie?: string;
  apiKey?: string;
  body?: unknown;
  signal: AbortSignal | undefined;
}

async function ask(url: string, method: string, path: string, { cookie, apiKey, body, signal }: Ask): Promise<Answer> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(`${url}${path}`, {
    method,
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
  return { status: response.status, data: dataIn(text), cookie: cookies.join('; ') };
}

function dataIn(text: string): unknown {
  try {
    const parsed = JSON.parse(text) as { data?: unknown; message?: unknown };
    return parsed.data ?? parsed;
  } catch {
    return undefined;
  }
}

function expectOk({ status, data }: Answer, what: string): unknown {
  if (status >= 200 && status < 300) return data;
  const { message } = (data ?? {}) as { message?: unknown };
  const why = typeof message === 'string' ? `: ${message.slice(0, 200)}` : '';
  throw new AppError('unavailable', `n8n did not ${what} (HTTP ${status}${why}). \`sluice n8n logs\` may say why.`);
}
