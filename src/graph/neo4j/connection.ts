import { setTimeout as delay } from 'node:timers/promises';
import neo4j, { type Driver, type RecordShape, type ResultSummary } from 'neo4j-driver';
import { AppError, type ErrorCode, toAppError } from '../../kernel/errors.ts';
import { isTooLong, limitMessages } from '../../kernel/message-limit.ts';
import { failureAt, isLost, isTransient, tookTooLong } from './failures.ts';
import { boltFraming } from './framing.ts';
import { parameter } from './parameter.ts';

export interface Neo4jAddress {
  /** `neo4j://host:7687`, `bolt://…`, or with TLS `neo4j+s://…`. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Default: the user's home database. */
  readonly database?: string;
}

export interface Answer<T extends RecordShape> {
  readonly rows: T[];
  readonly fields: readonly string[];
  /** Whether there were more rows than wanted. */
  readonly more: boolean;
  readonly summary: ResultSummary;
}

/** Runs one statement of a transaction. Whole numbers go in as integers, and integers come out as bigints. */
export type Run = <T extends RecordShape = RecordShape>(
  cypher: string,
  parameters?: object,
  most?: number,
) => Promise<Answer<T>>;

export interface Limits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Only tries: everything is undone. */
  readonly rehearsal?: boolean;
}

export interface Neo4j extends AsyncDisposable {
  /** Host and port, for messages. */
  readonly where: string;
  read<T>(work: (run: Run) => Promise<T>, limits?: Limits): Promise<T>;
  /** All or nothing. May run the work several times, if another transaction gets in the way. */
  write<T>(work: (run: Run) => Promise<T>, limits?: Limits): Promise<T>;
  /** Changes the schema, which Neo4j does in a transaction of its own. Returns why Neo4j refused. */
  command(cypher: string): Promise<AppError | undefined>;
  /** Why the last call could not reach it; undefined if it could. */
  trouble(): Trouble | undefined;
}

export interface Trouble {
  readonly message: string;
  readonly at: string;
}

const CONNECT_MS = 5000;
const TRANSACTION_MS = 30_000;
/** The server ends a transaction that takes too long. Only if it says nothing do we stop waiting ourselves. */
const GRACE_MS = 2000;
const TRIES = 6;
const PAUSE_MS = 20;

/** Connects when it is first used, and again whenever the server was away. */
export function connectNeo4j({ url, username, password, database }: Neo4jAddress): Neo4j {
  const { protocol, host: where, search, username: user, password: secret } = new URL(url);
  // A user in the URL counts more; the driver would ignore it.
  const [who, what] = user === '' ? [username, password] : [user, secret].map(decodeURIComponent);
  const driver: Driver = neo4j.driver(`${protocol}//${where}${search}`, neo4j.auth.basic(who ?? '', what ?? ''), {
    userAgent: 'sluice',
    telemetryDisabled: true,
    useBigInt: true,
    connectionTimeout: CONNECT_MS,
    connectionAcquisitionTimeout: 2 * CONNECT_MS,
    maxConnectionPoolSize: 20,
  });

  let trouble: Trouble | undefined;

  async function once<T>(mode: 'READ' | 'WRITE', work: (run: Run) => Promise<T>, limits: Limits): Promise<T> {
    const { timeoutMs: timeout = TRANSACTION_MS, signal } = limits;
    signal?.throwIfAborted();
    const session = driver.session({ defaultAccessMode: mode, ...(database !== undefined && { database }) });
    const ended = new AbortController();
    const expired = delay(timeout + GRACE_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
      throw new AppError('timeout', tookTooLong(where));
    });
    const cancelled = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(toAppError(signal.reason)), { signal: ended.signal, once: true });
    });
    let commits = false;
    const doing = limitMessages(boltFraming, async () => {
      const transaction = session.beginTransaction({ timeout });
      const result = await work(async (cypher, parameters = {}, most = Number.POSITIVE_INFINITY) => {
        const answer = transaction.run(cypher, parameter(parameters));
        const fields = await answer.keys();
        const rows: never[] = [];
        let more = false;
        for await (const record of answer) {
          more = rows.length >= most;
          if (more) break;
          rows.push(record.toObject() as never);
        }
        return { rows, fields: fields.map(String), more, summary: await answer.summary() };
      });
      if (limits.rehearsal) {
        await transaction.rollback();
        return result;
      }
      commits = true;
      await transaction.commit();
      return result;
    });
    try {
      return await Promise.race([doing, expired, cancelled]);
    } catch (error) {
      // Whether a commit arrived that was not answered is unknown: doing it again might do it twice.
      if (commits && mode === 'WRITE' && isLost(error))
        throw new AppError(
          'unavailable',
          `The connection to Neo4j at ${where} ended in mid-write, so it may or may not have taken effect. Check before you try again.`,
          { cause: error },
        );
      throw error;
    } finally {
      ended.abort();
      expired.catch(() => {});
      cancelled.catch(() => {});
      doing.catch(() => {});
      // Rolls back what is open. It may wait for a server that does not answer, so nobody waits for it.
      void session.close().catch(() => {});
    }
  }

  async function insistently<T>(mode: 'READ' | 'WRITE', work: (run: Run) => Promise<T>, limits: Limits): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const result = await once(mode, work, limits);
        trouble = undefined;
        return result;
      } catch (error) {
        // Connections that waited in the pool while the server restarted are dead; the second one is new.
        const again = isLost(error) ? tries === 1 : isTransient(error) && tries < TRIES;
        if (!again || isTooLong(error)) {
          const failure = failureAt(where, error);
          const isAway = failure instanceof AppError && failure.code === 'unavailable';
          trouble = isAway ? { message: failure.message, at: new Date().toISOString() } : undefined;
          throw failure;
        }
        await delay(PAUSE_MS * 2 ** tries * Math.random());
      }
    }
  }

  return {
    where,
    trouble: () => trouble,
    read: (work, limits = {}) => insistently('READ', work, limits),
    write: (work, limits = {}) => insistently('WRITE', work, limits),
    async command(cypher) {
      const refused: readonly ErrorCode[] = ['forbidden', 'conflict', 'invalid_input'];
      try {
        await insistently('WRITE', (run) => run(cypher), {});
        return undefined;
      } catch (error) {
        if (error instanceof AppError && refused.includes(error.code)) return error;
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await driver.close();
    },
  };
}
