import type { Route } from '../kernel/route.ts';
import type { Logins } from './logins.ts';

type Page = 'back' | 'document' | 'open' | 'go';

/** The pages to sign in to servers behind the gateway. Their code is loaded when somebody opens one. */
export function loginRoutes(load: () => Promise<Logins>, redact: (text: string) => string): Route[] {
  const route = (page: Page, path: string, method: 'GET' | 'POST' = 'GET'): Route => ({
    method,
    path,
    scope: 'public',
    async handle(asked) {
      const [{ loginPages }, logins] = await Promise.all([import('./pages.ts'), load()]);
      return loginPages(logins, redact)[page].handle(asked);
    },
  });
  // The first matching route wins.
  return [
    route('back', '/login/callback'),
    route('document', '/login/client.json'),
    route('open', '/login/:server'),
    route('go', '/login/:server', 'POST'),
  ];
}
