/**
 * A browser's session as a script has it: the cookie and the token for changes.
 *
 *   const session = await signInWith(gateway.url, { key });
 *   await session.ask('/api/v1/keys');                          // with the cookie
 *   await session.ask('/api/v1/keys', 'POST', { name: 'x' });   // with the cookie and the token
 */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ScriptedSession {
  readonly cookie: string;
  readonly csrf: string;
  /** The Set-Cookie header. */
  readonly header: string;
  ask(path: string, method?: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<Response>;
  /** Only with the cookie. */
  bare(path: string, asked?: Asked): Promise<Response>;
}

export const postSession = (url: string, given: { key: string } | { password: string }, headers = {}) =>
  fetch(`${url}/api/v1/session`, {
    method: 'POST',
    ...('key' in given
      ? { headers: { authorization: `Bearer ${given.key}`, ...headers } }
      : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(given) }),
  });

export async function signInWith(url: string, given: { key: string } | { password: string }): Promise<ScriptedSession> {
  const response = await postSession(url, given);
  const header = response.headers.get('set-cookie') ?? '';
  if (response.status !== 200 || header === '')
    throw new Error(`Signing in was answered with ${response.status}: ${await response.text()}`);
  const cookie = header.split(';')[0] as string;
  const bare = (path: string, { headers, ...asked }: Asked = {}) =>
    fetch(`${url}${path}`, { ...asked, headers: { cookie, ...headers } });
  const { csrf } = (await (await bare('/api/v1/session')).json()) as { csrf: string };
  return {
    cookie,
    csrf,
    header,
    bare,
    ask: (path, method = 'GET', body) =>
      bare(path, {
        method,
        headers: {
          ...(method !== 'GET' && { 'x-sluice-csrf': csrf }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  };
}
