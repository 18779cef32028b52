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
  /** Notes that a caller was admitted. */
  noteUse(principal: Principal): void;
  /** `listener` runs when this process revoked access; whoever revokes waits for it. */
  onRevoking(listener: () => Promise<void>): void;
}

const KEY_USES = 'CREATE TABLE key_uses (key_id TEXT PRIMARY KEY, used_at TEXT NOT NULL)';

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
  migrations: { sqlite: [`${KEY_USES} STRICT`], postgres: [KEY_USES] },
  pages: [
    {
      path: 'keys',
      title: 'Keys and clients',
      scope: 'admin',
      module: 'auth/pages/keys.tsx',
      order: 85,
      key: 'k',
    },
  ],
  async open({ settings, store, events }) {
    const [{ createUses }, { authRoutes }] = await Promise.all([import('./uses.ts'), import('./routes/routes.ts')]);
    const uses = createUses(store.tables);
    const listeners = new Set<() => Promise<void>>();
    const revoked = async () => void (await Promise.allSettled([...listeners].map((listener) => listener())));
    return {
      api: {
        settings: () => settings().auth,
        store,
        events,
        async standing(before) {
          const { standingOf } = await import('./standing.ts');
          return standingOf(before, { settings: settings().auth, keys: store.keys, now: Date.now() });
        },
        noteUse: uses.noted,
        onRevoking: (listener) => void listeners.add(listener),
      },
      routes: authRoutes({ settings: () => settings().auth, store, events, uses, revoked }),
      [Symbol.asyncDispose]: () => uses[Symbol.asyncDispose](),
    };
  },
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
