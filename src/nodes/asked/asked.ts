import type { Tables } from '../../store/store.ts';

const DAY_MS = 86_400_000;
const FLUSH_MS = 3000;
const KEPT_DAYS = 400;
const ROWS_AT_ONCE = 100;
/** A catalogue has about a thousand. Callers cannot make it more: only nodes that exist are counted. */
const MOST_NOTED = 5000;

export interface AskedAbout {
  readonly node: string;
  readonly times: number;
  /** The last time, in milliseconds. */
  readonly last: number;
}

/** Counts which nodes callers ask about. */
export interface AskedNodes {
  /** Costs nothing: it is written a little later, several at once. */
  note(nodes: readonly string[]): void;
  /** Since the beginning of that day (UTC), the most asked first. */
  since(time: number): Promise<{ readonly asked: AskedAbout[]; readonly first?: number }>;
}

const dayOf = (time: number): number => Math.floor(time / DAY_MS);

export function createAskedNodes(tables: Tables, now: () => number = Date.now): AskedNodes & AsyncDisposable {
  let noted = new Map<string, { times: number; last: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let prunedOn: number | undefined;

  async function write(counts: ReadonlyMap<string, { times: number; last: number }>): Promise<void> {
    // In one order everywhere, so that two replicas never wait for each other.
    const rows = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const some = rows.slice(from, from + ROWS_AT_ONCE);
      await tables.change(
        `INSERT INTO node_questions (day, node, times, asked_at) VALUES ${some.map(() => '(?, ?, ?, ?)').join(', ')}
         ON CONFLICT (day, node) DO UPDATE SET times = node_questions.times + excluded.times,
           asked_at = CASE WHEN excluded.asked_at > node_questions.asked_at THEN excluded.asked_at
                           ELSE node_questions.asked_at END`,
        ...some.flatMap(([node, { times, last }]) => [dayOf(last), node, times, last]),
      );
    }
    const today = dayOf(now());
    if (prunedOn === today) return;
    prunedOn = today;
    await tables.change('DELETE FROM node_questions WHERE day < ?', today - KEPT_DAYS);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const counts = noted;
    noted = new Map();
    // A count that is lost changes little; a call that fails because of it would be worse.
    if (counts.size > 0) writing = writing.then(() => write(counts)).catch(() => {});
    return writing;
  }

  return {
    note(nodes) {
      const last = now();
      for (const node of nodes) {
        const known = noted.get(node);
        if (known && dayOf(known.last) === dayOf(last)) noted.set(node, { times: known.times + 1, last });
        else if (known) {
          // Past midnight: what was noted belongs to yesterday.
          void flush();
          noted.set(node, { times: 1, last });
        } else if (noted.size < MOST_NOTED) noted.set(node, { times: 1, last });
      }
      if (noted.size > 0) timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    async since(time) {
      await flush();
      const rows = await tables.rows<{ node: string; times: number | string; asked_at: number | string }>(
        `SELECT node, SUM(times) AS times, MAX(asked_at) AS asked_at FROM node_questions WHERE day >= ? GROUP BY node
         ORDER BY 2 DESC, 3 DESC, node`,
        dayOf(time),
      );
      const [oldest] = await tables.rows<{ day: number | string | null }>('SELECT MIN(day) AS day FROM node_questions');
      return {
        // PostgreSQL returns sums as text.
        asked: rows.map((row) => ({ node: row.node, times: Number(row.times), last: Number(row.asked_at) })),
        ...(oldest?.day !== null && oldest?.day !== undefined && { first: Number(oldest.day) * DAY_MS }),
      };
    },
    async [Symbol.asyncDispose]() {
      await flush();
    },
  };
}
