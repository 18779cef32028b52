import { hostname } from 'node:os';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { createSeal, type Seal } from '../../kernel/seal.ts';
import { own } from '../../kernel/own.ts';
import { existingKey } from '../master-key.ts';
import type { StorePlace } from '../settings.ts';
import { openSnapshot, type Snapshot, type SqliteRow } from '../sqlite/snapshot.ts';
import type { Migrations } from '../store.ts';
import { placeOf } from './address.ts';
import { type Column, columnsOf, inOrder, insertRows, settle, tablesWithRows } from './bulk.ts';
import { copiedEvent, eventColumns } from './copied-event.ts';
import type { Database, Session } from './connection.ts';
import { type CopyMark, readMarks, writeMark } from './marks.ts';
import { migrate } from './migrations.ts';
import { openSeal } from './seal.ts';
import { refuseUnsuitable } from './suitable.ts';

export interface CopyOptions {
  /** The embedded store. */
  readonly file: string;
  /** Where the keys of both stores are. */
  readonly home: Pick<StorePlace, 'home' | 'env'>;
  readonly migrations: ReadonlyMap<string, Migrations>;
  progress(text: string): void;
  readonly signal: AbortSignal;
}

export interface Copied {
  readonly state: 'copied' | 'done before';
  readonly source: string;
  readonly finishedAt: string;
  /** Of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Whether an earlier attempt had begun. */
  readonly resumed: boolean;
  /** Tables with rows that the target does not know. */
  readonly leftOut: readonly string[];
  /** Texts with a NUL or half a character, which PostgreSQL cannot hold. */
  readonly cleaned: number;
  /** Whether somebody wrote to the source meanwhile: that is not in the copy. */
  readonly outdated: boolean;
}

/** Held while copying, on a connection of its own. See LOCK in migrations.ts. */
const LOCK = 'SELECT pg_advisory_lock(1399612261, 4)';
/** The only table that goes on where it stopped: it is by far the largest, and its rows never change. */
const EVENTS = 'events';
/** Each engine has its own: how far its schema is, and what only SQLite needs. */
const OWN_OF_EACH = new Set(['part_versions', 'event_digests', 'kept']);
/** Who holds the right to deliver: nobody, in a copy. */
const NOT_COPIED = new Map([['webhooks', ['holder', 'held_until']]]);
/** Encrypted with the key of the store: which column, and what it says it is about. */
const SEALED = new Map([
  ['servers', { column: 'config', about: (row: SqliteRow) => `server ${String(row.name)}` }],
  ['secrets', { column: 'value', about: (row: SqliteRow) => `the secret ${String(row.key)}` }],
]);

/**
 * Copies an embedded store into an empty database. An attempt that ends early leaves a mark, and the next one goes on:
 * other tables are replaced as a whole, each in one transaction, so that they are of the same moment as the events.
 */
export async function copyStore(database: Database, options: CopyOptions): Promise<Copied> {
  const { file, home, migrations, progress, signal } = options;
  using source = openSnapshot(file, migrations);
  const name = `${hostname()}:${realpathSync(file)}`;
  await refuseUnsuitable(database);
  await migrate(database, migrations);
  await using _turn = await takeTurn(database);
  const begun = (await readMarks(database)).copy;
  if (begun && begun.source !== name) throw otherCopy(database, begun);
  if (begun?.finishedAt !== undefined)
    return {
      state: 'done before',
      source: begun.source,
      finishedAt: begun.finishedAt,
      rows: begun.rows ?? {},
      resumed: false,
      leftOut: [],
      cleaned: 0,
      outdated: source.isOutdated(),
    };
  if (!begun) await refuseUsed(database);
  const seals = { from: sealOf(file, source), to: await openSeal(database, home, { copying: true }) };
  if (seals.to.locked !== undefined) throw new AppError('conflict', seals.to.locked);
  const mark: CopyMark = begun ?? { source: name, startedAt: new Date().toISOString() };
  await writeMark(database, { copy: mark });

  const target = await columnsOf(database);
  const shared = await inOrder(
    database,
    [...source.tables.keys()].filter((table) => target.has(table) && !OWN_OF_EACH.has(table)),
  );
  let cleaned = 0;
  const copy = async (session: Session, table: string, { after, done = 0 }: { after?: number; done?: number } = {}) => {
    const columns = sharedColumns(table, source.tables.get(table), target.get(table));
    const rows = prepared(table, source.rows(table, columns.read, after), seals, () => cleaned++);
    const total = source.count(table);
    let copied = done;
    const changed = await insertRows(session, table, columns.write, rows, (count) => {
      signal.throwIfAborted();
      copied += count;
      progress(`${table}: ${copied} of ${total} rows`);
    });
    cleaned += changed;
  };

  try {
    for (const table of shared.filter((one) => one !== EVENTS)) {
      await database.transaction(async (session) => {
        await session.change(`DELETE FROM ${table}`);
        await copy(session, table);
      });
    }
    const [there] = await database.rows<{ id: number | null; count: number }>(
      `SELECT max(id) AS id, count(*) AS count FROM ${EVENTS}`,
    );
    await copy(database, EVENTS, { after: there?.id ?? 0, done: there?.count ?? 0 });
    const [first] = [...firstOf(source.rows(EVENTS, ['id'], 0))];
    // Deleted in the source since an earlier attempt copied them.
    await database.change(`DELETE FROM ${EVENTS} WHERE id < $1`, [Number(first?.id ?? Number.MAX_SAFE_INTEGER)]);
    await settle(database, target, new Map([[EVENTS, source.lastId(EVENTS)]]));
    const rows = await compared(database, source, shared);
    const finishedAt = new Date().toISOString();
    await writeMark(database, { copy: { ...mark, finishedAt, rows } });
    const leftOut = [...source.tables.keys()].filter(
      (table) => !target.has(table) && !OWN_OF_EACH.has(table) && source.count(table) > 0,
    );
    const resumed = begun !== undefined;
    return {
      state: 'copied',
      source: name,
      finishedAt,
      rows,
      resumed,
      leftOut,
      cleaned,
      outdated: source.isOutdated(),
    };
  } catch (error) {
    throw unfinished(error);
  }
}

async function takeTurn(database: Database): Promise<AsyncDisposable> {
  const client = await database.connect();
  const turn = { [Symbol.asyncDispose]: () => client.end().catch(() => {}) };
  try {
    // Waits for some seconds: the server notices late that a process which copied was killed.
    await client.query(LOCK);
    return turn;
  } catch (cause) {
    await turn[Symbol.asyncDispose]();
    const where = placeOf(database.address);
    throw new AppError('conflict', `Another \`sluice store migrate\` copies into ${where} right now.`, { cause });
  }
}

function otherCopy({ address }: Database, { source, finishedAt }: CopyMark): AppError {
  const what = finishedAt === undefined ? 'an unfinished copy' : 'a copy';
  return new AppError(
    'conflict',
    `The database ${placeOf(address)} holds ${what} of ${source}. Use another database, or drop what is there: DROP SCHEMA sluice CASCADE;`,
  );
}

async function refuseUsed(database: Database): Promise<void> {
  const used = await tablesWithRows(database);
  if (used.length === 0) return;
  throw new AppError(
    'conflict',
    `The database ${placeOf(database.address)} already holds a store: there are rows in ${used.join(', ')}. Nothing was copied. ` +
      'Use an empty database, or drop what is there: DROP SCHEMA sluice CASCADE;',
  );
}

/** The key of the embedded store. It is not made up if it is missing. */
function sealOf(file: string, source: Snapshot): Seal {
  const path = join(dirname(file), 'sluice.key');
  const key = existingKey(path);
  if (key) return createSeal(key);
  const sealed = [...SEALED.keys()].some((table) => source.count(table) > 0);
  if (sealed)
    throw new AppError(
      'conflict',
      `${path} does not exist: what is encrypted in ${file} cannot be opened. Restore it from your backup.`,
    );
  return createSeal(Buffer.alloc(32));
}

interface Seals {
  readonly from: Seal;
  readonly to: Seal;
}

/** The rows as the target keeps them. */
function* prepared(
  table: string,
  rows: Iterable<SqliteRow>,
  { from, to }: Seals,
  cleaned: () => void,
): Iterable<SqliteRow> {
  const sealed = SEALED.get(table);
  for (const row of rows) {
    if (sealed) {
      const about = sealed.about(row);
      yield { ...row, [sealed.column]: to.seal(from.open(String(own(row, sealed.column)), about), about) };
    } else if (table === EVENTS) {
      const event = copiedEvent(row);
      if (event.data !== row.data) cleaned();
      yield event;
    } else yield row;
  }
}

const DERIVED = new Map([[EVENTS, eventColumns]]);

function sharedColumns(
  table: string,
  source: ReadonlyMap<string, string> = new Map(),
  target: ReadonlyMap<string, Column> = new Map(),
): { read: string[]; write: Column[] } {
  const without = NOT_COPIED.get(table) ?? [];
  const read = [...source.keys()].filter((name) => target.has(name) && !without.includes(name));
  const write = [...read, ...(DERIVED.get(table) ?? [])].flatMap((name) => target.get(name) ?? []);
  return { read, write };
}

function* firstOf<T>(rows: Iterable<T>): Iterable<T> {
  for (const row of rows) {
    yield row;
    return;
  }
}

async function compared(
  database: Database,
  source: Snapshot,
  tables: readonly string[],
): Promise<Record<string, number>> {
  const rows: [string, number][] = [];
  for (const table of tables) {
    const [found] = await database.rows<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
    const [there, here] = [found?.count ?? 0, source.count(table)];
    if (there !== here)
      throw new AppError('internal', `${table} has ${here} rows in the source, but ${there} in the target.`);
    rows.push([table, here]);
  }
  return Object.fromEntries(rows);
}

function unfinished(error: unknown): AppError {
  const { code, message } = error instanceof AppError ? error : new AppError('internal', String(error));
  const next =
    'The copy is not finished; the source is unchanged. Run the same command again: it goes on where it stopped.';
  return new AppError(code, `${message} ${next}`, { cause: error });
}
