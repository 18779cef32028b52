import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { messageOf } from '../kernel/errors.ts';
import type { Tls } from '../modules/tls.ts';
import { REDIS_PREFIX } from '../store/own-names.ts';
import { within } from '../store/postgres/shared/within.ts';

const WRITE_EVERY_MS = 200;
const ANSWER_MS = 2000;
const FAREWELL_MS = 1000;
const LONGEST_PAUSE_MS = 5000;
/** Runs that are written as soon as Redis is back. */
const MOST_MISSED = 1000;

export interface RedisProgressOptions {
  readonly url: string;
  readonly tls?: Tls | undefined;
  ttlMs(): number;
  /** The status of a run as everybody may see it; undefined if there is no such run. */
  view(run: string): Promise<object | undefined>;
}

export interface RedisProgress extends AsyncDisposable {
  /** Writes how a run is now. Returns at once, and never fails. */
  changed(run: string): void;
  /** Why nothing is written, without secrets. */
  trouble(): string | undefined;
}

const progressKey = (run: string): string => `${REDIS_PREFIX}blueprint:${run}`;

/** Keeps the status of runs in Redis for others to read: at most five times a second for a run, and always the last. */
export function openRedisProgress({ url, tls, ttlMs, view }: RedisProgressOptions): RedisProgress {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: 10_000,
    pingInterval: 10_000,
    name: 'sluice',
    socket: {
      connectTimeout: 2000,
      reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, LONGEST_PAUSE_MS),
      ...tls,
    },
  });
  const closing = new AbortController();
  /** Runs that are being written. */
  const writing = new Map<string, { isOutdated: boolean; readonly done: Promise<void> }>();
  const missed = new Set<string>();
  let problem: string | undefined;

  client.on('error', (error) => (problem = messageOf(error)));
  client.on('ready', () => {
    problem = undefined;
    const late = [...missed];
    missed.clear();
    for (const run of late) changed(run);
  });
  // It never gives up, unless it is closed.
  const connecting = client.connect().then(
    () => {},
    () => {},
  );

  function miss(run: string): void {
    missed.add(run);
    const [oldest] = missed;
    if (missed.size > MOST_MISSED && oldest !== undefined) missed.delete(oldest);
  }

  async function write(run: string): Promise<void> {
    try {
      if (!client.isReady) return miss(run);
      const status = await view(run);
      if (!status) return;
      await within(ANSWER_MS, client.set(progressKey(run), JSON.stringify(status), { PX: Math.ceil(ttlMs()) }));
      problem = undefined;
    } catch (error) {
      // While it is not connected, the reason for that says more.
      if (client.isReady || problem === undefined) problem = messageOf(error);
      miss(run);
    }
  }

  async function writeOn(run: string): Promise<void> {
    for (;;) {
      await Promise.all([
        write(run),
        delay(WRITE_EVERY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {}),
      ]);
      const own = writing.get(run);
      if (!own?.isOutdated) break;
      own.isOutdated = false;
    }
    writing.delete(run);
  }

  function changed(run: string): void {
    const own = writing.get(run);
    if (own) own.isOutdated = true;
    else if (!client.isReady) miss(run);
    else writing.set(run, { isOutdated: false, done: Promise.resolve().then(() => writeOn(run)) });
  }

  return {
    changed,
    trouble: () =>
      problem === undefined
        ? undefined
        : `The progress of runs is not written to Redis at ${new URL(url).host} (${problem}). Runs go on.`,
    async [Symbol.asyncDispose]() {
      closing.abort();
      // A command that ends at once has often not connected yet.
      if (missed.size > 0 && problem === undefined) await within(FAREWELL_MS, connecting).catch(() => {});
      const last = Promise.all([...writing.values()].map(({ done }) => done));
      await within(FAREWELL_MS, last).catch(() => {});
      client.destroy();
    },
  };
}
