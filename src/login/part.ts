import { type None, part } from '../host/part.ts';
import { late } from '../kernel/late.ts';
import { loginFacts } from './facts.ts';
import type { Logins } from './logins.ts';
import { loginRoutes } from './routes.ts';

/** Loaded with the first server that may need a login: most gateways have none. */
export interface Login {
  load(): Promise<Logins>;
  /** Undefined until it is loaded. */
  current(): Logins | undefined;
}

/** Signs in to the servers behind the gateway, and keeps the logins. */
export const loginPart = part<Login, None, None, typeof loginFacts>({
  facts: loginFacts,
  open({ store, events, redact, url }) {
    let opened: Logins | undefined;
    const address = () => {
      const { outside, here } = url();
      return outside ?? here;
    };
    const load = late(async () => {
      const { openLogins } = await import('./open.ts');
      opened = await openLogins({ store, events, url: address });
      return opened;
    });
    return {
      api: { load, current: () => opened },
      routes: loginRoutes(load, redact),
      secrets: () => opened?.secrets() ?? [],
      async [Symbol.asyncDispose]() {
        (await load.begun())?.[Symbol.dispose]();
      },
    };
  },
});
