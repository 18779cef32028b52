import { expect, it } from 'vitest';
import type { Logins } from './logins.ts';
import { loginRoutes } from './routes.ts';

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
  const route = loginRoutes(async () => logins).find(({ method }) => method === 'POST');
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
