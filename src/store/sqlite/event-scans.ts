import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createCallGroups } from '../call-usage.ts';
import { BLOCK } from './event-digest.ts';
import type { Selection } from '../event-query.ts';
import { eventOf, type EventRow, ROW_BYTES } from '../event-row.ts';
import { eventDigests } from './event-digests.ts';
import { selectSql } from './event-select.ts';
import type { CallGroup, FollowedEvents, StoredEvent } from '../store.ts';

export interface Pruning {
  before: number;
  max?: number;
  maxBytes?: number;
  keepFrom?: number;
  audit: readonly string[];
}

/** The scans that may take long. They run in this thread or another one. */
export interface EventScans {
  /** Returns at most `limit` events. */
  select(selection: Selection): Promise<StoredEvent[]>;
  follow(selection: Selection): Promise<FollowedEvents>;
  usage(period: { since?: number; until?: number }): Promise<CallGroup[]>;
  prune(pruning: Pruning): Promise<number>;
  count(): number | Promise<number>;
}

/** How many to delete at once: an append that has to wait for it does not wait long. */
const PRUNE_CHUNK = 500;
const PRUNE_PAUSE_MS = 5;
/** How many blocks to read in one go (about ten milliseconds) before others get their turn. */
const STRIDE = 16;

const everything: Selection = { order: 'asc', limit: 1 };

export function eventScans(db: DatabaseSync): EventScans {
  const counting = db.prepare('SELECT count(*) AS total FROM events');
  const ends = db.prepare('SELECT (SELECT min(id) FROM events) AS first, (SELECT max(id) FROM events) AS last');
  const outdated = db.prepare('SELECT id FROM events WHERE id BETWEEN ? AND ? AND at < ? ORDER BY id LIMIT ?');
  const ofKind = '(event_type IN (SELECT value FROM json_each(?))) = ?';
  const size = `octet_length(data) + ${ROW_BYTES}`;
  const among = `FROM events WHERE id BETWEEN ? AND ? AND ${ofKind}`;
  const sums = db.prepare(`SELECT count(*) AS n, COALESCE(sum(${size}), 0) AS bytes ${among}`);
  const newestBeyond = db.prepare(
    `SELECT id FROM (SELECT id, row_number() OVER newest AS n, sum(${size}) OVER newest AS bytes
       ${among} WINDOW newest AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING))
     WHERE n > ? OR bytes > ? ORDER BY id DESC LIMIT 1`,
  );
  const oldest = db.prepare(`SELECT id FROM events WHERE id <= ? AND ${ofKind} ORDER BY id LIMIT ?`);
  const remove = db.prepare('DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))');
  const calls = db.prepare(
    `SELECT event_type, data FROM events WHERE id BETWEEN ? AND ? AND at >= ? AND at < ?
       AND event_type IN ('tool.call_completed', 'tool.call_failed')`,
  );
  const digests = eventDigests(db);
  const selects = new Map<string, StatementSync>();

  function range(): { first: number; last: number } | undefined {
    const { first, last } = ends.get() as { first: number | null; last: number | null };
    return first === null || last === null ? undefined : { first, last };
  }

  function prepared(sql: string): StatementSync {
    let statement = selects.get(sql);
    if (!statement) selects.set(sql, (statement = db.prepare(sql)));
    return statement;
  }

  async function select(selection: Selection, bound?: number): Promise<StoredEvent[]> {
    const { order, limit, after } = selection;
    const all = range();
    if (!all) return [];
    let { first, last } = all;
    if (bound !== undefined) last = Math.min(last, bound);
    if (after !== undefined && order === 'asc') first = Math.max(first, after + 1);
    if (after !== undefined && order === 'desc') last = Math.min(last, after - 1);
    const { sql, values } = selectSql(selection);
    const statement = prepared(sql);
    const found: StoredEvent[] = [];
    for (const [low, high] of runs(first, last, order, digests.filter(selection))) {
      const rows = statement.all({ ...values, low, high, limit: limit - found.length });
      for (const row of rows) found.push(eventOf(row as unknown as EventRow));
      if (found.length >= limit) break;
      await setImmediate();
    }
    digests.complete(all.first, all.last);
    return found;
  }

  async function deleteAll(next: () => StatementResult): Promise<number> {
    let deleted = 0;
    while (true) {
      const ids = next().map(({ id }) => Number(id));
      if (ids.length === 0) return deleted;
      deleted += Number(remove.run(JSON.stringify(ids)).changes);
      await setTimeout(PRUNE_PAUSE_MS);
    }
  }

  /** The newest event that is too many or too much, of the audit or of the rest; 0 if there is none. */
  async function beyond(
    all: { first: number; last: number },
    audit: readonly string[],
    isAudit: boolean,
    max: number,
    maxBytes: number,
  ): Promise<number> {
    const kind = [JSON.stringify(audit), Number(isAudit)] as const;
    const candidate = isAudit ? digests.filter({ ...everything, audit }) : () => true;
    let [n, bytes] = [0, 0];
    for (const [low, high] of runs(all.first, all.last, 'desc', candidate)) {
      const sum = sums.get(low, high, ...kind) as { n: number; bytes: number };
      if (n + sum.n > max || bytes + sum.bytes > maxBytes)
        return (newestBeyond.get(low, high, ...kind, max - n, maxBytes - bytes) as { id: number }).id;
      n += sum.n;
      bytes += sum.bytes;
      await setImmediate();
    }
    return 0;
  }

  return {
    select: (selection) => select(selection),

    async follow(selection) {
      const { limit, after = 0 } = selection;
      // Read this first: events appended from here on are for the next call.
      const last = range()?.last ?? 0;
      const events = last > after ? await select(selection, last) : [];
      return { events, position: (events.length === limit && events.at(-1)?.id) || Math.max(after, last) };
    },

    async usage({ since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER }) {
      const groups = createCallGroups();
      const all = range();
      if (!all) return [];
      const candidate = digests.filter({ ...everything, since, until });
      for (const [low, high] of runs(all.first, all.last, 'asc', candidate)) {
        for (const row of calls.all(low, high, since, until)) {
          const { event_type, data } = row as unknown as EventRow;
          groups.count(JSON.parse(data) as Record<string, unknown>, event_type === 'tool.call_failed');
        }
        await setImmediate();
      }
      digests.complete(all.first, all.last);
      return groups.all();
    },

    async prune({
      before,
      audit,
      max = Number.MAX_SAFE_INTEGER,
      maxBytes = Number.MAX_SAFE_INTEGER,
      keepFrom = Number.MAX_SAFE_INTEGER,
    }) {
      const all = range();
      if (!all) return 0;
      let pruned = 0;
      const candidate = digests.filter({ ...everything, until: before });
      for (const [low, high] of runs(all.first, Math.min(all.last, keepFrom - 1), 'asc', candidate)) {
        pruned += await deleteAll(() => outdated.all(low, high, before, PRUNE_CHUNK));
        await setImmediate();
      }
      for (const isAudit of [false, true]) {
        const last = Math.min(await beyond(all, audit, isAudit, max, maxBytes), keepFrom - 1);
        pruned += await deleteAll(() => oldest.all(last, JSON.stringify(audit), Number(isAudit), PRUNE_CHUNK));
      }
      digests.forget(range()?.first ?? all.last);
      return pruned;
    },

    count: () => Number(counting.get()?.total),
  };
}

type StatementResult = ReturnType<StatementSync['all']>;

/** The id ranges to read, in order, as runs of adjacent blocks. */
function* runs(
  first: number,
  last: number,
  order: 'asc' | 'desc',
  candidate: (block: number) => boolean,
): Generator<[low: number, high: number]> {
  if (first > last) return;
  const from = Math.floor((order === 'asc' ? first : last) / BLOCK);
  const to = Math.floor((order === 'asc' ? last : first) / BLOCK);
  const step = order === 'asc' ? 1 : -1;
  let begin: number | undefined;
  for (let block = from; ; block += step) {
    const wanted = block !== to + step && candidate(block);
    if (begin !== undefined && (!wanted || Math.abs(block - begin) >= STRIDE)) {
      const [lower, upper] = order === 'asc' ? [begin, block - 1] : [block + 1, begin];
      yield [Math.max(first, lower * BLOCK), Math.min(last, (upper + 1) * BLOCK - 1)];
      begin = undefined;
    }
    if (block === to + step) return;
    if (wanted) begin ??= block;
  }
}
