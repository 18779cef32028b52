import type { Fill } from '../host/config/fill.ts';
import { valueAt } from '../host/config/schema-problems.ts';
import type { Tree } from '../host/config/tree.ts';
import { type Env, type None, part } from '../host/part.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Store } from '../store/store.ts';
import { type AuthEvents, authFacts } from './facts.ts';
import { type AuthSettings, authProblems, authSettings } from './settings.ts';
import type { Standing } from './standing.ts';

/** What authentication needs. The HTTP server loads and runs it. */
export interface Auth {
  settings(): AuthSettings;
  readonly store: Store;
  readonly events: AuthEvents;
  /** The present rights of somebody who was admitted before. */
  standing(before: Principal): Promise<Standing>;
}

/** Keys, and signing in. */
export const authPart = part<Auth, typeof authSettings, None, typeof authFacts>({
  settings: authSettings,
  facts: authFacts,
  secretVariables: () => ['MCP_AUTH_TOKEN'],
  environment: (file, { env }) => tokenFills(file, env),
  problems: (file, settings) => (settings ? authProblems(settings, file) : []),
  commands: {
    keys: {
      summary: 'Creates, lists and revokes API keys',
      load: async (place) => (await import('./commands/keys.ts')).keysCommand(place),
    },
    owner: {
      summary: 'Sets a new password for signing in to the built-in authorization server',
      load: async (place) => (await import('./commands/owner.ts')).ownerCommand(place),
    },
  },
  open: ({ settings, store, events }) => ({
    api: {
      settings: () => settings().auth,
      store,
      events,
      async standing(before) {
        const { standingOf } = await import('./standing.ts');
        return standingOf(before, { settings: settings().auth, keys: store.keys, now: Date.now() });
      },
    },
  }),
});

const SHORTEST_TOKEN = 16;

function tokenFills(file: Tree, { MCP_AUTH_TOKEN: token }: Env): Fill[] {
  if (!token) return [];
  const variable = 'MCP_AUTH_TOKEN';
  // Rate limits alone cannot make a short token safe.
  const problem = {
    message: `has fewer than ${SHORTEST_TOKEN} characters`,
    fix: 'Create one with `openssl rand -hex 32`.',
  };
  return [
    ...(valueAt(file, ['auth']) === undefined ? [{ variable, path: ['auth', 'mode'], value: 'none' }] : []),
    {
      variable,
      path: ['auth', 'token'],
      value: token,
      problem: token.length < SHORTEST_TOKEN ? problem : undefined,
    },
  ];
}
