import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { dirname, join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { createSeal, type Seal } from '../../kernel/seal.ts';
import { followingOf, pageOf, selectionOf, timeOf } from '../event-query.ts';
import { jsonText } from '../json-text.ts';
import { localShared } from '../local-shared.ts';
import { masterKey } from '../master-key.ts';
import { newSecret, openConfig, openSecret, sealConfig } from '../sealed.ts';
import { migrate, migratePart } from './migrations.ts';
import { createPrivately } from '../private-file.ts';
import { connect, inTransaction, MEMORY } from './connection.ts';
import { storeError } from './errors.ts';
import { storeFileTrouble } from './file-trouble.ts';
import { freeReserve, keepReserve } from './reserve.ts';
import { eventWriter } from './events.ts';
import { eventScansInThread } from './events-thread.ts';
import { sqliteKept } from './kept.ts';
import { sqliteKeys } from './keys.ts';
import { sqliteLogins } from './logins.ts';
import { sqliteOAuth } from './oauth.ts';
import { sqliteOutbox } from './outbox.ts';
import type { Run } from './run.ts';
import { apartHere, sqliteTables, tablesInThread } from './tables.ts';
import { sqliteTails } from './tails.ts';
import { sqliteTaskOwners } from './task-owners.ts';
import type {
  AddedServer,
  Catalogue,
  Catalogues,
  Definitions,
  Events,
  Servers,
  Settings,
  Store,
  StoreOptions,
} from '../store.ts';

/**
 * The store as one SQLite file, made if there is none; `:memory:` for one that ends with the process.
 *
 *     await using store = await openSqlite(join(home, 'sluice.db'));
 */
export async function openSqlite(
  file: string,
  { audit = [], migrations = new Map() }: StoreOptions = {},
): Promise<Store> {
  const db = await open(file, migrations);
  const seal = createSeal(file === MEMORY ? randomBytes(32) : masterKey(join(dirname(file), 'sluice.key')));
  const run: Run = async (work) => {
    try {
      if (db.isOpen) return await work();
    } catch (thrown) {
      if (db.isOpen) throw storeError(file, thrown);
    }
    throw new AppError('unavailable', `The store ${file} is closed.`);
  };
  const shared = localShared(sqliteKept(db, run));
  const tables = sqliteTables(db);
  const apart = file === MEMORY ? await apartHere(db, run) : tablesInThread(file);
  const thread = file === MEMORY ? undefined : eventScansInThread(file);
  const scans = thread ?? (await import('./event-scans.ts')).eventScans(db);
  const write = eventWriter(db);
  const events: Events = {
    append: (given) => run(() => write(given)),
    query: (query = {}) =>
      run(async () => {
        const selection = selectionOf(query, audit);
        return pageOf(selection, await scans.select({ ...selection, limit: selection.limit + 1 }));
      }),
    follow: (filter, after, limit) => run(() => scans.follow(followingOf(filter, audit, after, limit))),
    usage: ({ since, until } = {}) =>
      run(() =>
        scans.usage({
          ...(since && { since: timeOf('since', since) }),
          ...(until && { until: timeOf('until', until) }),
        }),
      ),
    prune: (before, limits = {}) => run(() => scans.prune({ ...limits, audit, before: timeOf('before', before) })),
    count: () => run(() => scans.count()),
    span: () => run(() => spanOf(db)),
  };
  return {
    catalogues: catalogues(db, run),
    servers: servers(db, run, seal),
    settings: settings(db, run, seal),
    definitions: definitions(db, run),
    keys: sqliteKeys(db, run),
    oauth: sqliteOAuth(db, run),
    logins: sqliteLogins(db, run),
    events,
    outbox: sqliteOutbox(db, run),
    tails: sqliteTails(db, run),
    taskOwners: sqliteTaskOwners(db, run),
    tables: {
      rows: (sql, ...values) => run(() => tables.rows(sql, values) as never),
      change: (sql, ...values) => run(() => tables.change(sql, values)),
    },
    apart,
    shared,
    trouble: file === MEMORY ? () => undefined : storeFileTrouble(file),
    async [Symbol.asyncDispose]() {
      await shared[Symbol.asyncDispose]();
      await thread?.[Symbol.asyncDispose]();
      await apart[Symbol.asyncDispose]();
      if (!db.isOpen) return;
      db.close();
      if (file !== MEMORY) keepReserve(file);
    },
  };
}

function spanOf(db: DatabaseSync) {
  const oldest = db.prepare('SELECT id, at FROM events ORDER BY id LIMIT 1').get() as
    | { id: number; at: number }
    | undefined;
  const newest = db.prepare('SELECT max(id) AS id FROM events').get() as { id: number | null };
  if (!oldest || newest.id === null) return undefined;
  // Of the whole file: what only events take up would have to be counted.
  const { bytes } = db
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get() as { bytes: number };
  return { first: oldest.id, last: newest.id, since: new Date(oldest.at), bytes };
}

async function open(file: string, migrations: NonNullable<StoreOptions['migrations']>): Promise<DatabaseSync> {
  let db: DatabaseSync | undefined;
  try {
    if (file !== MEMORY) {
      freeReserve(file);
      createPrivately(file);
    }
    db = await connect(file);
    migrate(db, file);
    for (const [part, { sqlite }] of migrations) migratePart(db, file, part, sqlite);
    return db;
  } catch (thrown) {
    db?.close();
    throw storeError(file, thrown);
  }
}

function catalogues(db: DatabaseSync, run: Run): Catalogues {
  const columns = 'server, fingerprint, value, saved_at AS savedAt';
  const one = db.prepare(`SELECT ${columns} FROM catalogues WHERE server = ?`);
  const all = db.prepare(`SELECT ${columns} FROM catalogues ORDER BY server`);
  const put = db.prepare(
    'INSERT OR REPLACE INTO catalogues (server, fingerprint, value, saved_at) VALUES (?, ?, ?, ?)',
  );
  const remove = db.prepare('DELETE FROM catalogues WHERE server = ?');
  type Row = Catalogue & { server: string; value: string };
  return {
    get: (server) =>
      run(() => {
        const row = one.get(server) as Row | undefined;
        return row && { fingerprint: row.fingerprint, value: JSON.parse(row.value) as unknown, savedAt: row.savedAt };
      }),
    put: (server, fingerprint, value) =>
      run(() => void put.run(server, fingerprint, jsonText(`The catalogue of ${server}`, value), now())),
    delete: (server) => run(() => void remove.run(server)),
    all: () =>
      run(() => {
        const rows = all.all() as unknown as Row[];
        return rows.map((row) => ({ ...row, value: JSON.parse(row.value) as unknown }));
      }),
  };
}

function servers(db: DatabaseSync, run: Run, seal: Seal): Servers {
  const list = db.prepare('SELECT name, config, added_at AS addedAt, added_by AS addedBy FROM servers ORDER BY name');
  const put = db.prepare('INSERT OR REPLACE INTO servers (name, config, added_at, added_by) VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM servers WHERE name = ?');
  type Row = AddedServer & { config: string };
  return {
    list: () =>
      run(() => {
        const rows = list.all() as unknown as Row[];
        return rows.map((row) => ({ ...row, config: openConfig(seal, row.name, row.config) }));
      }),
    put: (name, config, addedBy) => run(() => void put.run(name, sealConfig(seal, name, config), now(), addedBy)),
    delete: (name) => run(() => Number(remove.run(name).changes) > 0),
  };
}

function settings(db: DatabaseSync, run: Run, seal: Seal): Settings {
  const get = db.prepare('SELECT value FROM settings WHERE key = ?');
  const put = db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  const secret = db.prepare('SELECT value FROM secrets WHERE key = ?');
  const offer = db.prepare('INSERT OR IGNORE INTO secrets (key, value) VALUES (?, ?)');
  return {
    get: (key) =>
      run(() => {
        const row = get.get(key);
        return row && (JSON.parse(row.value as string) as unknown);
      }),
    put: (key, value) => run(() => void put.run(key, jsonText(`The setting ${key}`, value))),
    secret: (key) =>
      run(() => {
        // The first value wins, whichever process wrote it. Reading first saves later calls a write.
        if (!secret.get(key)) offer.run(key, newSecret(seal, key));
        return openSecret(seal, key, secret.get(key)?.value as string);
      }),
  };
}

function definitions(db: DatabaseSync, run: Run): Definitions {
  const get = db.prepare('SELECT tool, hash FROM definitions WHERE server = ? ORDER BY tool');
  const put = db.prepare('INSERT OR REPLACE INTO definitions (server, tool, hash) VALUES (?, ?, ?)');
  const removeOne = db.prepare('DELETE FROM definitions WHERE server = ? AND tool = ?');
  const removeAll = db.prepare('DELETE FROM definitions WHERE server = ?');
  return {
    get: (server) => run(() => new Map(get.all(server).map(({ tool, hash }) => [tool as string, hash as string]))),
    put: (server, hashes) =>
      run(() =>
        inTransaction(db, () => {
          for (const [tool, hash] of hashes) put.run(server, tool, hash);
        }),
      ),
    delete: (server, tool) =>
      run(() => void (tool === undefined ? removeAll.run(server) : removeOne.run(server, tool))),
  };
}

function now(): string {
  return new Date().toISOString();
}
