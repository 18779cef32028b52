import { REDIS_PREFIX } from '../../own-names.ts';
import { createHmac, randomInt } from 'node:crypto';
import { messageOf } from '../../../kernel/errors.ts';
import type { Shared, Topic } from '../../../kernel/shared.ts';
import type { StoreTrouble } from '../../store.ts';
import type { Database } from '../connection.ts';
import { keptIn, pruneKept } from './kept.ts';
import { leaseRows, RELEASED } from './lease-rows.ts';
import { createLeases } from './leases.ts';
import { createLimits } from './limits.ts';
import { CHANNEL, openLine } from './line.ts';
import { beat, lookAtReplicas, lookAtVersions } from './look.ts';
import { createPulse } from './pulse.ts';
import { createReplicas, pruneReplicas } from './replicas.ts';
import { signing } from './signing.ts';
import { pruneRates, tokenRows } from './token-rows.ts';
import { createTopics } from './topics.ts';
import { troublesOf } from './troubles.ts';

export interface SharedOptions {
  readonly version: string;
  /** 32 random bytes, the same for all replicas. */
  readonly peerKey: Buffer;
  /** The name of this replica: letters and digits, new at each start. */
  readonly replica?: string;
  readonly redis?: string;
  warn?(message: string): void;
}

export interface PostgresShared extends Shared, AsyncDisposable {
  readonly peers: NonNullable<Shared['peers']>;
  /** For `trouble()` of the store: the worst first. */
  troubles(): StoreTrouble[];
}

const BEAT_MS = 2000;
const PRUNE_MS = 60_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const JOINED = 'replicas';
const HINT = 'events ';

export const newReplicaName = (): string =>
  Array.from({ length: 12 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Names in Redis begin with this: several gateways may use one. */
const spaceOf = (key: Buffer): string =>
  `${REDIS_PREFIX}${createHmac('sha256', key).update('redis').digest('hex').slice(0, 12)}:`;

/** What replicas share, in a database that is suitable and migrated already. */
export async function openShared(database: Database, options: SharedOptions): Promise<PostgresShared> {
  const { version, peerKey, replica = newReplicaName(), warn = (message) => process.emitWarning(message) } = options;
  let parts: ReadonlyMap<string, number> = new Map();
  let skewMs = 0;
  /** Commands that only read or change something are no replicas. */
  let joined = false;
  let present = false;
  let beatAt = 0;
  /** Nobody is removed who could not renew while the store was away. */
  const nextPrune = () => performance.now() + PRUNE_MS * (1 + Math.random());
  let pruneAt = nextPrune();

  await using opening = new AsyncDisposableStack();
  const line = opening.use(openLine(database, { notice, broken: () => pulse.wake() }));
  database.askWith(() => line.rows('SELECT 1'));
  const notify = (text: string) => line.rows('SELECT pg_notify($1, $2)', [CHANNEL, text]);
  const rows = leaseRows(line, replica);
  // A lease ends by itself: nobody waits for a database that is away to give it up.
  const release = async (task: string) => {
    if (!pulse.failing()) await rows.release(task);
  };
  const leases = createLeases({ ...rows, release }, warn);
  const replicas = createReplicas(database, { id: replica, version, leads: leases.held, cutOffSince });
  const topics = createTopics({
    raise: (topic) => database.rows('SELECT tell($1)', [topic]),
    hint: () => notify(`${HINT}${replica}`),
    isAlone: replicas.isAlone,
    warn,
  });
  // Only whoever configures Redis loads its client.
  const redis =
    options.redis === undefined
      ? undefined
      : opening.adopt((await import('./redis-counter.ts')).openRedis(options.redis, spaceOf(peerKey)), (counter) =>
          counter.close(),
        );
  const limits = createLimits(tokenRows(database), redis, () => pulse.failing() !== undefined);
  const pulse = createPulse(look);

  const first = await lookAtReplicas(line, replica);
  replicas.startedAt(Date.now() - first.skewMs);
  replicas.seen(first);
  topics.seen(first.topics);
  ({ parts, skewMs } = first);
  pulse.start();
  opening.move();

  function cutOffSince(): number | undefined {
    return pulse.failing()?.since;
  }

  function notice(text: string): void {
    if (text === RELEASED) return leases.wake();
    if (text.startsWith(HINT)) return void (text !== `${HINT}${replica}` && topics.call('events'));
    if (text === JOINED) beatAt = 0;
    pulse.wake();
  }

  async function look(): Promise<void> {
    const now = performance.now();
    const isBack = cutOffSince() !== undefined;
    if (isBack) beatAt = 0;
    if (now < beatAt) {
      const seen = await lookAtVersions(line);
      ({ parts, skewMs } = seen);
      topics.seen(seen.topics);
    } else {
      beatAt = now + BEAT_MS - 100;
      const seen = await (joined ? beat(line, replicas.row()) : lookAtReplicas(line, replica));
      ({ parts, skewMs } = seen);
      const changed = replicas.seen(seen);
      topics.seen(seen.topics);
      if (changed) topics.call(JOINED);
      if (joined && !present) {
        present = true;
        notify(JOINED).catch(() => {});
      }
    }
    limits.back();
    if (isBack) pruneAt = nextPrune();
    if (now > pruneAt) {
      pruneAt = nextPrune();
      limits.forget();
      void prune();
    }
  }

  async function prune(): Promise<void> {
    try {
      await pruneReplicas(database);
      await pruneKept(database);
      await pruneRates(database);
    } catch {
      // The next one does it.
    }
  }

  function join(): void {
    joined = true;
    beatAt = 0;
    pulse.wake();
  }

  async function drain(): Promise<void> {
    replicas.drain();
    // Work without a lease of ours, such as a webhook, hands over by itself, after what it is doing.
    topics.call(JOINED);
    await Promise.all([leases.close(), sayThatItDrains()]);
  }

  async function sayThatItDrains(): Promise<void> {
    if (pulse.failing()) return;
    try {
      if (joined) await beat(line, replicas.row());
      await notify(JOINED);
    } catch (error) {
      warn(`Other replicas could not be told that this one stops: ${messageOf(error)}`);
    }
  }

  return {
    peers: {
      self: replica,
      all: replicas.all,
      find: replicas.find,
      announce(url, report) {
        replicas.announce(url, report);
        join();
      },
      lookAgain: pulse.wake,
      drain,
      ...signing(peerKey),
    },
    count: limits.count,
    ...keptIn(database),
    lead(task, work) {
      if (!joined) join();
      return leases.lead(task, work);
    },
    tell: (topic: Topic) => topics.tell(topic),
    hear: (topic, listener) => topics.hear(topic, listener),
    cutOffSince,
    troubles: () =>
      troublesOf({
        cutOff: pulse.failing()?.error,
        skewMs,
        parts: { atStart: first.parts, now: parts },
        limits: limits.troubles(),
      }),
    async [Symbol.asyncDispose]() {
      await leases.close();
      await pulse[Symbol.asyncDispose]();
      topics[Symbol.dispose]();
      if (joined && !pulse.failing())
        await line
          .rows(`WITH gone AS (DELETE FROM replicas WHERE id = $1) SELECT pg_notify('${CHANNEL}', '${JOINED}')`, [
            replica,
          ])
          .catch(() => {});
      await line[Symbol.asyncDispose]();
      redis?.close();
    },
  };
}
