import { type None, part } from '../host/part.ts';
import { loginFacts } from './facts.ts';
import type { Logins } from './logins.ts';

/** Signs in to the servers behind the gateway, and keeps the logins. */
export const loginPart = part<Logins, None, None, typeof loginFacts>({
  facts: loginFacts,
  async open({ store, events, url }) {
    const [{ openLogins }, { loginRoutes }] = await Promise.all([import('./open.ts'), import('./routes.ts')]);
    const logins = await openLogins({
      store,
      events,
      url() {
        const { outside, here } = url();
        return outside ?? here;
      },
    });
    return {
      api: logins,
      routes: loginRoutes(logins),
      secrets: logins.secrets,
      async [Symbol.asyncDispose]() {
        logins[Symbol.dispose]();
      },
    };
  },
});
