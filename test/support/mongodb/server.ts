/**
 * A stand-in for a MongoDB server, as real as its clients can tell: the wire protocol, SCRAM-SHA-256, cursors, and the
 * commands of https://www.mongodb.com/docs/manual/reference/command/ that contract.ts lists.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Binary, type Document, Long } from 'bson';
import { checkCommand } from './contract.ts';
import {
  addIndex,
  bytesOf,
  collectionOf,
  type Data,
  type Index,
  insert,
  madeCollection,
  matching,
  remove,
  update,
} from './data.ts';
import { aggregateIn, explained, findIn, statsOf } from './queries.ts';
import { Refusal, refusal } from './refusal.ts';
import { beginScram, type Conversation, type User } from './scram.ts';
import { answerTo, framer, readRequest, type Request } from './wire.ts';

const BATCH = 101;
const BATCH_BYTES = 16 * 1024 * 1024;

export interface MongoServer extends AsyncDisposable {
  readonly port: number;
  /** The commands that were asked for, without those of the protocol itself. */
  readonly asked: Document[];
  /** Commands of this name get no answer until the result is called. */
  hold(name: string): () => void;
  /** The next commands of this name are answered with this error. */
  fail(name: string, code: number, codeName: string, message: string, times?: number): void;
  /** How many cursors are open. */
  cursors(): number;
  /** Ends every connection and listens no more. The documents stay. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

interface Session {
  readonly id: number;
  user?: string;
  conversation?: Conversation;
}

interface Cursor {
  readonly namespace: string;
  rest: Document[];
}

const QUIET = /^(?:hello|isMaster|ismaster|ping|endSessions|saslStart|saslContinue)$/;
const BEFORE_LOGIN = /^(?:hello|isMaster|ismaster|saslStart|saslContinue|ping|buildInfo|endSessions)$/;

export async function startServer({ user }: { readonly user?: User } = {}): Promise<MongoServer> {
  const data: Data = new Map();
  const asked: Document[] = [];
  const open = new Map<string, Cursor>();
  const held = new Map<string, PromiseWithResolvers<void>>();
  const failures: { readonly name: string; readonly error: Refusal }[] = [];
  const running = new Map<Request, { command: Document; since: number }>();
  const sockets = new Set<Socket>();
  let lastCursor = 1_000_000_000;
  let lastConnection = 0;
  let port = 0;
  let listening: Server | undefined;

  const namespaceOf = (command: Document, name: string) => `${command.$db}.${command[name]}`;

  function batchOf(cursor: Cursor, size: number): Document[] {
    let bytes = 0;
    const end = cursor.rest.findIndex((document, at) => {
      bytes += bytesOf({ documents: [document], indexes: [], uses: new Map(), options: {} });
      return at >= size || (at > 0 && bytes > BATCH_BYTES);
    });
    return cursor.rest.splice(0, end === -1 ? cursor.rest.length : end);
  }

  function cursorOf(namespace: string, documents: readonly Document[], size: number): Document {
    const cursor: Cursor = { namespace, rest: [...documents] };
    const firstBatch = batchOf(cursor, size);
    if (cursor.rest.length === 0) return { cursor: { id: Long.ZERO, ns: namespace, firstBatch } };
    lastCursor += 1;
    open.set(String(lastCursor), cursor);
    return { cursor: { id: Long.fromNumber(lastCursor), ns: namespace, firstBatch } };
  }

  const sizeIn = (command: Document): number =>
    Number((command.cursor as Document | undefined)?.batchSize ?? command.batchSize ?? BATCH);

  function hello(session: Session, command: Document): Document {
    const { speculativeAuthenticate: early, saslSupportedMechs } = command as {
      speculativeAuthenticate?: Document;
      saslSupportedMechs?: string;
    };
    return {
      isWritablePrimary: true,
      ismaster: true,
      helloOk: true,
      maxBsonObjectSize: 16 * 1024 * 1024,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      localTime: new Date(),
      logicalSessionTimeoutMinutes: 30,
      connectionId: session.id,
      minWireVersion: 0,
      maxWireVersion: 21,
      readOnly: false,
      ...(saslSupportedMechs !== undefined && { saslSupportedMechs: user ? ['SCRAM-SHA-256'] : [] }),
      ...(early && user && { speculativeAuthenticate: login(session, early) }),
    };
  }

  const payloadOf = (command: Document): string => Buffer.from((command.payload as Binary).buffer).toString('utf8');
  const saying = (text: string, done: boolean): Document => ({
    conversationId: 1,
    done,
    payload: new Binary(Buffer.from(text)),
  });
  const denied = () => refusal(18, 'AuthenticationFailed', 'Authentication failed.');

  function login(session: Session, command: Document): Document {
    if (command.mechanism !== 'SCRAM-SHA-256' || !user) throw denied();
    try {
      session.conversation = beginScram(payloadOf(command), user);
    } catch {
      throw denied();
    }
    return saying(session.conversation.first, false);
  }

  function proceed(session: Session, command: Document): Document {
    // A client that skips the empty exchange at the end is done after its proof.
    if (session.user !== undefined) return saying('', true);
    try {
      const last = session.conversation?.finish(payloadOf(command));
      if (last === undefined) throw denied();
      session.user = user?.name ?? '';
      return saying(last, true);
    } catch {
      throw denied();
    }
  }

  function written(list: readonly Document[], ordered: unknown, work: (one: Document, at: number) => void): Document[] {
    const errors: Document[] = [];
    for (const [index, one] of list.entries()) {
      try {
        work(one, index);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        errors.push({ index, code: error.code, errmsg: error.message, ...error.more });
        if (ordered !== false) break;
      }
    }
    return errors;
  }

  const withErrors = (writeErrors: Document[]) => (writeErrors.length > 0 ? { writeErrors } : {});

  const commands: Record<string, (command: Document, session: Session) => Document> = {
    hello: (command, session) => hello(session, command),
    isMaster: (command, session) => hello(session, command),
    ismaster: (command, session) => hello(session, command),
    ping: () => ({}),
    endSessions: () => ({}),
    buildInfo: () => ({ version: '7.0.14', versionArray: [7, 0, 14, 0], maxBsonObjectSize: 16 * 1024 * 1024 }),
    serverStatus: () => ({
      version: '7.0.14',
      uptime: process.uptime(),
      connections: { current: sockets.size, available: 1000 - sockets.size },
      mem: { resident: 100 },
      opcounters: { query: asked.filter((one) => 'find' in one).length, insert: 0 },
      storageEngine: { name: 'wiredTiger' },
    }),
    getLog: ({ getLog }) => {
      const log =
        getLog === 'startupWarnings'
          ? ['{"s":"W","msg":"Access control is not enabled"}']
          : ['{"s":"I","msg":"Slow query"}', '{"s":"I","msg":"Connection ended"}'];
      return { totalLinesWritten: log.length, log };
    },
    saslStart: (command, session) => login(session, command),
    saslContinue: (command, session) => proceed(session, command),
    listDatabases: ({ nameOnly }) => {
      const databases = [...new Set(['admin', 'config', 'local', ...data.keys()])].map((name) => ({
        name,
        ...(nameOnly !== true && {
          sizeOnDisk: [...(data.get(name)?.values() ?? [])].reduce((sum, one) => sum + bytesOf(one), 0),
          empty: (data.get(name)?.size ?? 0) === 0,
        }),
      }));
      return { databases, totalSize: 0 };
    },
    listCollections: (command) => {
      const all = [...(data.get(command.$db as string) ?? [])].map(([name, { options }]) => ({
        name,
        type: options.timeseries ? 'timeseries' : options.viewOn ? 'view' : 'collection',
        ...(command.nameOnly !== true && { options, info: { readOnly: false } }),
      }));
      return cursorOf(
        `${command.$db}.$cmd.listCollections`,
        matching(all, (command.filter ?? {}) as Document),
        sizeIn(command),
      );
    },
    create: (command) => {
      const { create, $db, lsid: _, maxTimeMS: __, writeConcern: ___, $readPreference: ____, ...options } = command;
      if (collectionOf(data, $db as string, create as string))
        throw refusal(48, 'NamespaceExists', `Collection ${$db}.${create} already exists.`);
      madeCollection(data, $db as string, create as string, options);
      return {};
    },
    // Since 7.0 a collection that is not there is no error.
    drop: ({ drop, $db }) => {
      data.get($db as string)?.delete(drop as string);
      if (data.get($db as string)?.size === 0) data.delete($db as string);
      return {};
    },
    dropDatabase: ({ $db }) => {
      data.delete($db as string);
      return { dropped: $db as string };
    },
    renameCollection: ({ renameCollection, to, dropTarget, $db }) => {
      if ($db !== 'admin')
        throw refusal(13, 'Unauthorized', 'renameCollection may only be run against the admin database.');
      const parts = (name: unknown): [string, string] => {
        const dot = String(name).indexOf('.');
        return [String(name).slice(0, dot), String(name).slice(dot + 1)];
      };
      const [from, source] = parts(renameCollection);
      const [into, target] = parts(to);
      const stored = collectionOf(data, from, source);
      if (!stored) throw refusal(26, 'NamespaceNotFound', `Source collection ${renameCollection} does not exist`);
      if (collectionOf(data, into, target) && dropTarget !== true)
        throw refusal(48, 'NamespaceExists', 'target namespace exists');
      data.get(from)?.delete(source);
      madeCollection(data, into, target);
      data.get(into)?.set(target, stored);
      return {};
    },
    insert: (command) => {
      const stored = madeCollection(data, command.$db as string, command.insert as string);
      const list = command.documents as Document[];
      let n = 0;
      const errors = written(list, command.ordered, (document) => {
        insert(stored, document, namespaceOf(command, 'insert'));
        n += 1;
      });
      return { n, ...withErrors(errors) };
    },
    update: (command) => {
      const stored = madeCollection(data, command.$db as string, command.update as string);
      const total = { n: 0, nModified: 0 };
      const upserted: Document[] = [];
      const errors = written(command.updates as Document[], command.ordered, (statement, index) => {
        const { matched, changed, upserted: id } = update(stored, statement, namespaceOf(command, 'update'));
        total.n += matched + (id === undefined ? 0 : 1);
        total.nModified += changed;
        if (id !== undefined) upserted.push({ index, _id: id });
      });
      return { ...total, ...(upserted.length > 0 && { upserted }), ...withErrors(errors) };
    },
    delete: (command) => {
      const stored = collectionOf(data, command.$db as string, command.delete as string);
      let n = 0;
      const errors = written(command.deletes as Document[], command.ordered, (statement) => {
        if (stored) n += remove(stored, statement);
      });
      return { n, ...withErrors(errors) };
    },
    find: (command) => {
      const found = findIn(collectionOf(data, command.$db as string, command.find as string), command);
      return cursorOf(
        namespaceOf(command, 'find'),
        found,
        command.singleBatch === true ? found.length : sizeIn(command),
      );
    },
    aggregate: (command) => {
      const found = aggregateIn(data, command.$db as string, command, () =>
        [...running.values()].map(({ command: other, since }, at) => ({
          opid: 100 + at,
          active: true,
          op: 'command',
          ns: `${other.$db}.${String(Object.values(other)[0])}`,
          microsecs_running: (Date.now() - since) * 1000,
          waitingForLock: false,
          appName: 'sluice',
          command: other,
        })),
      );
      return cursorOf(namespaceOf(command, 'aggregate'), found, sizeIn(command));
    },
    getMore: (command) => {
      const id = String(command.getMore);
      const cursor = open.get(id);
      if (!cursor) throw refusal(43, 'CursorNotFound', `cursor id ${id} not found`);
      const nextBatch = batchOf(cursor, Number(command.batchSize ?? Infinity));
      if (cursor.rest.length === 0) open.delete(id);
      const more = cursor.rest.length > 0 ? Long.fromString(id) : Long.ZERO;
      return { cursor: { id: more, ns: cursor.namespace, nextBatch } };
    },
    killCursors: (command) => {
      const cursors = command.cursors as unknown[];
      const killed = cursors.filter((id) => open.delete(String(id)));
      return { cursorsKilled: killed, cursorsNotFound: [], cursorsAlive: [], cursorsUnknown: [] };
    },
    count: (command) => {
      const stored = collectionOf(data, command.$db as string, command.count as string);
      return { n: matching(stored?.documents ?? [], (command.query ?? {}) as Document).length };
    },
    distinct: (command) => {
      const stored = collectionOf(data, command.$db as string, command.distinct as string);
      const found = matching(stored?.documents ?? [], (command.query ?? {}) as Document);
      return { values: [...new Set(found.flatMap((document) => document[command.key as string] as unknown))] };
    },
    explain: (command) => explained(data, command.$db as string, command),
    createIndexes: (command) => {
      const stored = madeCollection(data, command.$db as string, command.createIndexes as string);
      const numIndexesBefore = stored.indexes.length;
      for (const index of command.indexes as Index[]) addIndex(stored, index, namespaceOf(command, 'createIndexes'));
      return { numIndexesBefore, numIndexesAfter: stored.indexes.length };
    },
    listIndexes: (command) => {
      const stored = collectionOf(data, command.$db as string, command.listIndexes as string);
      const namespace = namespaceOf(command, 'listIndexes');
      if (!stored) throw refusal(26, 'NamespaceNotFound', `ns does not exist: ${namespace}`);
      return cursorOf(namespace, stored.indexes, sizeIn(command));
    },
    dropIndexes: (command) => {
      const stored = collectionOf(data, command.$db as string, command.dropIndexes as string);
      if (!stored) throw refusal(26, 'NamespaceNotFound', 'ns not found');
      const nIndexesWas = stored.indexes.length;
      stored.indexes = stored.indexes.filter(
        ({ name }) => name === '_id_' || (command.index !== '*' && name !== command.index),
      );
      if (stored.indexes.length === nIndexesWas && command.index !== '*')
        throw refusal(27, 'IndexNotFound', `index not found with name [${command.index}]`);
      return { nIndexesWas };
    },
    dbStats: ({ $db }) => {
      const all = [...(data.get($db as string)?.values() ?? [])];
      const objects = all.reduce((sum, { documents }) => sum + documents.length, 0);
      const dataSize = all.reduce((sum, one) => sum + bytesOf(one), 0);
      return {
        db: $db as string,
        collections: all.length,
        views: 0,
        objects,
        avgObjSize: objects === 0 ? 0 : dataSize / objects,
        dataSize,
        storageSize: dataSize,
        indexes: all.reduce((sum, { indexes }) => sum + indexes.length, 0),
        indexSize: 4096,
      };
    },
    collStats: (command) => {
      const stored = collectionOf(data, command.$db as string, command.collStats as string);
      return stored ? statsOf(stored) : { count: 0, size: 0 };
    },
  };

  async function answer(request: Request, session: Session): Promise<Document> {
    const { command } = request;
    try {
      const name = checkCommand(command);
      if (user && session.user === undefined && !BEFORE_LOGIN.test(name))
        throw refusal(13, 'Unauthorized', `Command ${name} requires authentication`);
      if (!QUIET.test(name)) asked.push(command);
      const failing = failures.findIndex((one) => one.name === name);
      if (failing !== -1) throw failures.splice(failing, 1)[0]?.error as Refusal;
      const waits = held.get(name);
      if (waits) {
        running.set(request, { command, since: Date.now() });
        await Promise.race([waits.promise, overdue(command)]).finally(() => running.delete(request));
      }
      return { ...commands[name]?.(command, session), ok: 1 };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, codeName, message, more } = error;
      return { ok: 0, errmsg: message, code, codeName, ...more };
    }
  }

  /** Rejects when the time that the client has given the command is over. */
  function overdue({ maxTimeMS }: Document): Promise<never> {
    return new Promise((_, reject) => {
      if (typeof maxTimeMS === 'number')
        setTimeout(() => reject(refusal(50, 'MaxTimeMSExpired', 'operation exceeded time limit')), maxTimeMS).unref();
    });
  }

  function serve(socket: Socket): void {
    lastConnection += 1;
    const session: Session = { id: lastConnection };
    const cut = framer();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.on('data', (chunk) => {
      let requests: Request[];
      try {
        requests = cut(chunk).map(readRequest);
      } catch {
        socket.destroy();
        return;
      }
      for (const request of requests)
        void answer(request, session).then(
          (reply) => {
            if (!request.isOneWay && !socket.destroyed) socket.write(answerTo(request, reply));
          },
          (error: unknown) => socket.destroy(error as Error),
        );
    });
  }

  async function listen(): Promise<void> {
    listening = createServer(serve).listen(port, '127.0.0.1');
    await once(listening, 'listening');
    ({ port } = listening.address() as AddressInfo);
  }

  async function kill(): Promise<void> {
    const closing = listening;
    listening = undefined;
    for (const socket of sockets) socket.destroy();
    open.clear();
    if (!closing) return;
    closing.close();
    await once(closing, 'close');
  }

  await listen();
  return {
    get port() {
      return port;
    },
    asked,
    hold(name) {
      const waits = Promise.withResolvers<void>();
      held.set(name, waits);
      return () => {
        held.delete(name);
        waits.resolve();
      };
    },
    fail(name, code, codeName, message, times = 1) {
      for (let n = 0; n < times; n++) failures.push({ name, error: refusal(code, codeName, message) });
    },
    cursors: () => open.size,
    kill,
    restart: listen,
    [Symbol.asyncDispose]: kill,
  };
}
