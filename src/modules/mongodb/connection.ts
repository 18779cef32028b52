import type { Collection, Db, Document, MongoClientOptions } from 'mongodb';
import { AppError } from '../../kernel/errors.ts';
import { driver } from '../driver.ts';
import type { Around } from '../module.ts';
import { reach } from '../reach.ts';
import { noteConnecting } from '../sent.ts';
import type { Tls } from '../tls.ts';
import { type Access, accessTo } from './access.ts';
import { fromExtended, withIds } from './extended.ts';
import { checkQuery } from './judge.ts';
import { addressIn, readUrl } from './url.ts';

export interface Place {
  readonly database: string;
  readonly collection: string;
  /** Both, for messages. */
  readonly name: string;
  readonly db: Db;
  readonly documents: Collection;
}

export interface Named {
  readonly database?: string | undefined;
  readonly collection: string;
}

/** How long a question to the server may take. */
export interface Limits {
  readonly signal: AbortSignal;
  readonly maxTimeMS: number;
}

/** An open client. Tools get at databases and collections by methods that refuse what is out of reach. */
export interface Mongo extends AsyncDisposable {
  readonly access: Access;
  place(named: Named): Place;
  /** A database in reach; the default one if none is named. */
  database(name: string | undefined): Db;
  /** The server itself, for commands about it. */
  server(): Db;
  /** Values of a caller's JSON, with the types of Extended JSON. */
  values(json: unknown): Document;
  list(json: readonly unknown[]): Document[];
  /** A filter of a caller's JSON. Refuses code. A text of 24 hex digits for `_id` also finds the ObjectId. */
  filter(json: Readonly<Record<string, unknown>>): Document;
  sizeOf(document: Document): number;
  /** For every question to the server: ends with the call, and the server stops when nobody waits any more. */
  until(signal: AbortSignal): Limits;
  /**
   * Finds out whether the connection still stands. The driver does not notice that the server has closed one that it
   * keeps, and a write that is sent over it may or may not have taken effect.
   */
  wake(signal: AbortSignal): Promise<void>;
  /** A command as the server has it. */
  run(db: Db, command: Document, signal: AbortSignal): Promise<Document>;
}

export interface MongoSettings {
  readonly url: string;
  readonly database?: string | undefined;
  readonly databases?: readonly string[] | undefined;
}

/** Long enough for a slow network; a server that is away should not hold up a caller for longer. */
const SELECTION_MS = 3_000;

export async function connectMongo({ url, database, databases }: MongoSettings, around: Around): Promise<Mongo> {
  const { BSON, MongoClient } = await driver('mongodb', () => import('mongodb'));
  // The driver tries for seconds before it says that nothing listens there.
  await reach(addressIn(url), around.signal);
  const client = new MongoClient(url, optionsFor(around));
  try {
    await client.connect();
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
  const access = accessTo(databases, `modules.${around.name}.databases`);
  const usual = database ?? readUrl(url)?.database;

  function databaseNamed(name: string | undefined): string {
    const chosen = name ?? usual;
    if (chosen === undefined)
      throw new AppError(
        'invalid_input',
        `Name a database: mongodb_list_databases shows them. modules.${around.name}.database sets a default.`,
      );
    access.needDatabase(chosen);
    return chosen;
  }

  /** When the calls end that are under way. */
  const ends = new WeakMap<AbortSignal, number>();
  function until(signal: AbortSignal): Limits {
    const end = ends.get(signal) ?? Date.now() + around.timeoutMs;
    ends.set(signal, end);
    return { signal, maxTimeMS: Math.max(1, end - Date.now()) };
  }

  const values = (json: unknown): Document => fromExtended(json, BSON) as Document;

  return {
    access,
    values,
    list: (json) => json.map(values),
    place({ database: of, collection }) {
      const name = databaseNamed(of);
      access.needCollection(name, collection);
      const db = client.db(name);
      return { database: name, collection, name: `${name}.${collection}`, db, documents: db.collection(collection) };
    },
    database: (name) => client.db(databaseNamed(name)),
    server: () => client.db('admin'),
    filter(json) {
      checkQuery(json, 'filter');
      return withIds(values(json), BSON);
    },
    sizeOf: (document) => BSON.calculateObjectSize(document),
    until,
    async wake(signal) {
      const ping = () => client.db('admin').command({ ping: 1 }, { signal });
      // The driver drops all connections when one is lost, so the second one is new.
      await noteConnecting(() => ping().catch(ping));
    },
    run: (db, command, signal) => db.command({ ...command, maxTimeMS: until(signal).maxTimeMS }, { signal }),
    async [Symbol.asyncDispose]() {
      await client.close();
    },
  };
}

function optionsFor({ timeoutMs, tls }: Around): MongoClientOptions {
  // Less than connecting may take, so that the driver has time to say why it did not succeed.
  const patience = Math.min(SELECTION_MS, Math.ceil(timeoutMs * 0.7));
  return {
    appName: 'sluice',
    // A compressed answer may be of any length.
    compressors: 'none',
    // For a server that has stopped without closing its connections.
    socketTimeoutMS: timeoutMs + SELECTION_MS,
    serverSelectionTimeoutMS: patience,
    connectTimeoutMS: patience,
    maxPoolSize: 4,
    maxIdleTimeMS: 60_000,
    // One connection less for each server.
    serverMonitoringMode: 'poll',
    ...(tls && tlsOptions(tls)),
  };
}

/** `insecure` alone does not switch TLS on: that is up to the URL. */
function tlsOptions({ rejectUnauthorized, ...pem }: Tls): MongoClientOptions {
  return {
    ...(Object.keys(pem).length > 0 && { tls: true, ...pem }),
    ...(!rejectUnauthorized && { tlsAllowInvalidCertificates: true }),
  };
}
