import { expect, it } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import type { Logins } from './logins.ts';
import { loginRoutes } from './routes.ts';

const redact = (text: string) => text.replaceAll('canary', '[redacted]');

const nobody = { id: 'anonymous', scopes: new Set<string>() };

it.each([
  ['http://127.0.0.1:3500', 'Path=/login; Max-Age=900; HttpOnly; SameSite=Lax'],
  ['https://example.com', 'Path=/login; Max-Age=900; HttpOnly; SameSite=Lax; Secure'],
  ['https://example.com/sluice', 'Path=/sluice/login; Max-Age=900; HttpOnly; SameSite=Lax; Secure'],
])('the path of the login cookie matches the public URL: %s', async (base, expected) => {
  const logins = {
    callback: () => `${base}/login/callback`,
    follow: async () => ({ url: 'https://as.example/authorize', browser: 'b' }),
  } as Partial<Logins> as Logins;
  const route = loginRoutes(async () => logins, redact).find(({ method }) => method === 'POST');
  const request = new Request(`${base}/login/far`, { method: 'POST', body: new URLSearchParams({ ticket: 't' }) });
  const response = await route?.handle({
    request,
    params: { server: 'far' },
    principal: nobody,
    isBrowser: false,
    address: '',
  });
  expect(response?.status).toBe(303);
  expect(response?.headers.get('set-cookie')).toBe(`sluice_login=b; ${expected}`);
});

it('a page about a login that failed holds no secret', async () => {
  const logins = {
    finish: () => Promise.reject(new AppError('unavailable', 'It answered: canary is no valid secret')),
  } as Partial<Logins> as Logins;
  const route = loginRoutes(async () => logins, redact).find(({ path }) => path === '/login/callback');
  const request = new Request('http://127.0.0.1:3500/login/callback?state=x');
  const asked = { request, params: {}, principal: nobody, isBrowser: false, address: '' };
  expect(await (await route?.handle(asked))?.text()).toContain('It answered: [redacted] is no valid secret');
});
