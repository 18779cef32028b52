import { z } from 'zod';
import { atStart } from '../host/config/at-start.ts';
import type { Fill } from '../host/config/fill.ts';
import { part } from '../host/part.ts';
import type { Env } from '../kernel/env.ts';
import { readAddress } from './postgres/address.ts';
import { givenKey } from './secret-key.ts';
import type { StoreSettings } from './settings.ts';

const FIX = 'Write sqlite, or postgres://user:password@host:5432/database.';
const CONNECTIONS = 6;

const refuse = (context: z.RefinementCtx, message: string, fix: string) =>
  context.addIssue({ code: 'custom', message, params: { fix } });

/** `sqlite`, the URL of a PostgreSQL, or that URL with how many connections one replica may use. */
const storeKey = z
  .union([
    z.string(),
    z.strictObject({
      url: z.string(),
      connections: z.int().min(2).max(100).default(CONNECTIONS).describe('At most this many for each replica'),
    }),
  ])
  .transform((given, context): StoreSettings => {
    if (given === 'sqlite') return { kind: 'sqlite' };
    const { url, connections } = typeof given === 'string' ? { url: given, connections: CONNECTIONS } : given;
    const wrong = /^postgres(?:ql)?:/.test(url)
      ? readAddress(url)
      : { problem: 'is not a store that Sluice knows', fix: FIX };
    if ('problem' in wrong) refuse(context, wrong.problem, wrong.fix);
    return { kind: 'postgres', url, connections };
  })
  .default({ kind: 'sqlite' });

const redisKey = z
  .string()
  .superRefine((given, context) => {
    if (!/^rediss?:\/\//.test(given) || !URL.canParse(given))
      refuse(context, 'is not the URL of a Redis', 'Write redis://host:6379, or rediss:// for TLS.');
  })
  .optional();

const keys = { store: atStart(storeKey), redis: atStart(redisKey) };

export interface StoreApi {
  /** Where it is, for parts that store something beside it. */
  place(): StoreSettings;
  /** A Redis that all replicas use. */
  redis(): string | undefined;
}

/** Where everything is stored. The host opens it before any part. */
export const storePart = part<StoreApi, typeof keys>({
  commands: {
    store: {
      summary: 'Shows where everything is stored; backs it up, restores it, or copies it to PostgreSQL',
      load: async (place) => (await import('./commands/store.ts')).storeCommand(place),
    },
  },
  settings: keys,
  secretVariables: () => ['SLUICE_STORE'],
  environment: (file, { env }) => [
    ...(env.SLUICE_STORE ? [{ variable: 'SLUICE_STORE', path: ['store'], value: env.SLUICE_STORE }] : []),
    ...(env.SLUICE_REDIS ? [{ variable: 'SLUICE_REDIS', path: ['redis'], value: env.SLUICE_REDIS }] : []),
    ...keyFills(file.store ?? env.SLUICE_STORE, env),
  ],
  problems: ({ redis, store }) =>
    redis !== undefined && (store === undefined || store === 'sqlite')
      ? [
          {
            path: ['redis'],
            message: 'counts for several replicas, and they need PostgreSQL as their store',
            fix: 'Remove it, or set store to postgres://user:password@host:5432/database.',
          },
        ]
      : [],
  open: ({ settings }) => ({ api: { place: () => settings().store, redis: () => settings().redis } }),
});

/** The embedded store has its key beside it, and ignores these variables. */
function keyFills(store: unknown, env: Env): Fill[] {
  const given = store === undefined || store === 'sqlite' ? undefined : givenKey(env);
  if (!given) return [];
  const { variable } = given;
  return 'problem' in given
    ? [{ variable, problem: { message: given.problem, fix: given.fix } }]
    : [{ variable, secret: given.text }];
}
