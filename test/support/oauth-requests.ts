/** The requests of OAuth clients, for tests that send them themselves. */
import { createHash, randomBytes } from 'node:crypto';

export type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

async function answered(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : { text }) as Answer['body'],
  };
}

export async function getJson(url: string): Promise<Answer> {
  return answered(await fetch(url));
}

export async function register(base: string, metadata: object): Promise<Answer> {
  return answered(
    await fetch(`${base}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  );
}

export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export function authorizeUrl(base: string, params: Record<string, string>): string {
  const query = new URLSearchParams({ response_type: 'code', code_challenge_method: 'S256', state: 's', ...params });
  return `${base}/oauth/authorize?${query.toString()}`;
}

export async function token(base: string, params: Record<string, string>, headers = {}): Promise<Answer> {
  return answered(await fetch(`${base}/oauth/token`, { method: 'POST', headers, body: new URLSearchParams(params) }));
}

export function claimsOf(jwt: unknown): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}
