import type { CallEnd, CallObserver } from '../../kernel/call.ts';
import type { Tables } from '../../store/store.ts';

const MINUTE_MS = 60_000;
const FLUSH_MS = 5000;
const SHOWN = 60;

export interface CallMinute {
  /** When the minute began. */
  readonly at: string;
  readonly calls: number;
  readonly errors: number;
}

export interface CallMinutes extends AsyncDisposable {
  readonly observer: CallObserver;
  /** The last hour, of all replicas, oldest first. The last minute is the current one. */
  lastHour(): Promise<CallMinute[]>;
}

interface Count {
  calls: number;
  errors: number;
}

/**
 * Counts calls by minute. A call costs two additions; each process adds its counts to one row of the store every few
 * seconds, so that restarts and other replicas count, too.
 */
export function createCallMinutes(tables: Tables, now: () => number = Date.now): CallMinutes {
  const unwritten = new Map<number, Count>();
  let current: { minute: number; counts: Count } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let prunedAt = 0;
  // One after the other: what is read must not miss, or count twice, what is being written.
  let queue: Promise<unknown> = Promise.resolve();

  const thisMinute = () => Math.floor(now() / MINUTE_MS);

  function countsOf(minute: number): Count {
    if (current?.minute === minute) return current.counts;
    const counts = unwritten.get(minute) ?? { calls: 0, errors: 0 };
    unwritten.set(minute, counts);
    current = { minute, counts };
    return counts;
  }

  const ended = ({ state, reason }: CallEnd): void => {
    const counts = countsOf(thisMinute());
    counts.calls++;
    // Nobody needs to look into a call that its caller gave up.
    if (state === 'failed' && reason !== 'cancelled') counts.errors++;
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  };

  async function write(): Promise<void> {
    const oldest = thisMinute() - SHOWN;
    // Calls that end meanwhile are for the next time.
    const due = [...unwritten];
    for (const [minute, { calls, errors }] of due) {
      if (minute > oldest) {
        await tables.change(
          `INSERT INTO call_minutes (minute, calls, errors) VALUES (?, ?, ?)
           ON CONFLICT (minute) DO UPDATE SET calls = call_minutes.calls + excluded.calls,
             errors = call_minutes.errors + excluded.errors`,
          minute,
          calls,
          errors,
        );
      }
      subtract(minute, { calls, errors });
    }
    if (prunedAt === oldest) return;
    prunedAt = oldest;
    await tables.change('DELETE FROM call_minutes WHERE minute <= ?', oldest);
  }

  /** Calls may have ended meanwhile. */
  function subtract(minute: number, written: Count): void {
    const counts = unwritten.get(minute);
    if (!counts) return;
    counts.calls -= written.calls;
    counts.errors -= written.errors;
    if (counts.calls > 0) return;
    unwritten.delete(minute);
    if (current?.counts === counts) current = undefined;
  }

  function flush(): Promise<unknown> {
    clearTimeout(timer);
    timer = undefined;
    if (unwritten.size > 0)
      // What the store does not take now is written with the next counts.
      queue = queue.then(write).catch(() => {});
    return queue;
  }

  async function read(): Promise<CallMinute[]> {
    const last = thisMinute();
    const first = last - SHOWN + 1;
    // PostgreSQL returns large integers as text.
    const rows = await tables.rows<{ [Name in 'minute' | 'calls' | 'errors']: number | string }>(
      'SELECT minute, calls, errors FROM call_minutes WHERE minute >= ?',
      first,
    );
    const stored = new Map(rows.map((row) => [Number(row.minute), row]));
    return Array.from({ length: SHOWN }, (_, index) => {
      const minute = first + index;
      const [row, own] = [stored.get(minute), unwritten.get(minute)];
      return {
        at: new Date(minute * MINUTE_MS).toISOString(),
        calls: Number(row?.calls ?? 0) + (own?.calls ?? 0),
        errors: Number(row?.errors ?? 0) + (own?.errors ?? 0),
      };
    });
  }

  return {
    observer: { begins: () => ended },
    lastHour() {
      const answer = queue.then(read);
      queue = answer.catch(() => {});
      return answer;
    },
    async [Symbol.asyncDispose]() {
      await flush();
    },
  };
}
