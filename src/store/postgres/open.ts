import { AppError } from '../../kernel/errors.ts';
import type { PostgresPlace } from '../settings.ts';
import type { Store, StoreOptions } from '../store.ts';
import { readAddress } from './address.ts';
import { postgresCatalogues } from './catalogues.ts';
import { openDatabase } from './connection.ts';
import { postgresDefinitions } from './definitions.ts';
import { postgresEvents } from './events.ts';
import { postgresKeys } from './keys.ts';
import { lockedStore } from './locked.ts';
import { postgresLogins } from './logins.ts';
import { peerKey } from './marks.ts';
import { migrate } from './migrations.ts';
import { postgresOAuth } from './oauth.ts';
import { postgresOutbox } from './outbox.ts';
import { openSeal } from './seal.ts';
import { postgresServers } from './servers.ts';
import { postgresSettings } from './settings.ts';
import { joined } from './shared/troubles.ts';
import { newReplicaName, openShared } from './shared/open.ts';
import { refuseUnsuitable } from './suitable.ts';
import { postgresTables } from './tables.ts';
import { postgresTails } from './tails.ts';
import { postgresTaskOwners } from './task-owners.ts';

/** One connection is for listening; the rest is the pool. */
const LISTENING = 1;

/** The store in PostgreSQL, which other replicas may use too. */
export async function openPostgres(
  { home, env, version, settings, redis }: PostgresPlace,
  { audit = [], migrations = new Map(), standIns = false }: StoreOptions = {},
): Promise<Store> {
  const address = readAddress(settings.url);
  if ('problem' in address) throw new AppError('invalid_input', `store ${address.problem}. ${address.fix}`);
  await using stack = new AsyncDisposableStack();
  const database = stack.use(openDatabase(address, settings.connections - LISTENING, `sluice ${version}`));
  await refuseUnsuitable(database);
  await migrate(database, migrations);
  const seal = await openSeal(database, { home, env });
  const replica = newReplicaName();
  const shared = stack.use(
    await openShared(database, {
      version,
      replica,
      peerKey: await peerKey(database),
      ...(redis !== undefined && { redis }),
    }),
  );
  const owned = stack.move();
  const tables = postgresTables(database);
  const store: Store = {
    catalogues: postgresCatalogues(database),
    servers: postgresServers(database, seal),
    settings: postgresSettings(database, seal),
    definitions: postgresDefinitions(database),
    keys: postgresKeys(database),
    oauth: postgresOAuth(database),
    logins: postgresLogins(database),
    events: postgresEvents(database, audit),
    outbox: postgresOutbox(database, replica),
    tails: postgresTails(database),
    taskOwners: postgresTaskOwners(database),
    tables,
    apart: tables,
    shared,
    trouble: () => joined(shared.troubles()) ?? database.trouble(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return seal.locked === undefined ? store : await lockedStore(store, database, seal.locked, { standIns });
}
