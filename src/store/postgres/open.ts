import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { createSeal } from '../../kernel/seal.ts';
import { localShared } from '../local-shared.ts';
import { masterKey } from '../master-key.ts';
import type { PostgresPlace } from '../settings.ts';
import type { Store, StoreOptions } from '../store.ts';
import { readAddress } from './address.ts';
import { postgresCatalogues } from './catalogues.ts';
import { openDatabase } from './connection.ts';
import { postgresDefinitions } from './definitions.ts';
import { postgresEvents } from './events.ts';
import { postgresKeys } from './keys.ts';
import { postgresLogins } from './logins.ts';
import { migrate } from './migrations.ts';
import { postgresOAuth } from './oauth.ts';
import { postgresOutbox } from './outbox.ts';
import { postgresServers } from './servers.ts';
import { postgresSettings } from './settings.ts';
import { postgresTables } from './tables.ts';
import { postgresTails } from './tails.ts';
import { postgresTaskOwners } from './task-owners.ts';

/** One connection is for listening; the rest is the pool. */
const LISTENING = 1;

/** The store in PostgreSQL, which other replicas may use too. */
export async function openPostgres(
  { home, version, settings }: PostgresPlace,
  { audit = [], migrations = new Map() }: StoreOptions = {},
): Promise<Store> {
  const address = readAddress(settings.url);
  if ('problem' in address) throw new AppError('invalid_input', `store ${address.problem}. ${address.fix}`);
  await using stack = new AsyncDisposableStack();
  const database = stack.use(openDatabase(address, settings.connections - LISTENING, `sluice ${version}`));
  await migrate(database, migrations);
  const seal = createSeal(masterKey(join(home, 'sluice.key')));
  const replica = randomUUID().replaceAll('-', '');
  const shared = stack.use(localShared());
  const owned = stack.move();
  return {
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
    tables: postgresTables(database),
    shared,
    trouble: database.trouble,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
