import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './connection.ts';
import type { Run } from './run.ts';
import { deadOf, type DeadRow, FORGOTTEN_MS, type GapRow, placeOf, type PlaceRow } from '../outbox-row.ts';
import type { Outbox, OutboxEvent } from '../store.ts';

/** The outbox consists of the events table, a position for each webhook, and the few events set aside. */
export function sqliteOutbox(db: DatabaseSync, run: Run): Outbox {
  const last = db.prepare('SELECT coalesce(max(id), 0) AS id FROM events');
  const columns = `name, delivered_to, delivered, skipped, problem, problem_at,
    (SELECT count(*) FROM webhook_dead WHERE webhook = name) AS dead`;
  const one = db.prepare(`SELECT ${columns} FROM webhooks WHERE name = ?`);
  const all = db.prepare(`SELECT ${columns} FROM webhooks ORDER BY name`);
  // Start after the last id ever used, even if that event was deleted.
  const register = db.prepare(
    `INSERT INTO webhooks (name, delivered_to, seen_at)
     VALUES (?, max((SELECT coalesce(max(id), 0) FROM events),
                    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)), ?)
     ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at`,
  );
  const hold = db.prepare(
    `UPDATE webhooks SET holder = :holder, holder_pid = :pid, held_until = :until, seen_at = :now
     WHERE name = :name AND (holder IS NULL OR holder = :holder OR held_until < :now)`,
  );
  const holder = db.prepare('SELECT holder, holder_pid AS pid FROM webhooks WHERE name = ?');
  const free = db.prepare('UPDATE webhooks SET holder = NULL WHERE name = ? AND holder IS ?');
  const gaps = db.prepare('SELECT from_id, to_id FROM webhook_gaps WHERE webhook = ? ORDER BY from_id');
  const openGap = db.prepare('INSERT OR IGNORE INTO webhook_gaps (webhook, from_id) VALUES (?, ?)');
  const closeGap = db.prepare('UPDATE webhook_gaps SET to_id = max(from_id, ?) WHERE webhook = ? AND to_id IS NULL');
  const removeGap = db.prepare('DELETE FROM webhook_gaps WHERE webhook = ? AND from_id = ?');
  const after = db.prepare(
    'SELECT id, at, trace_id, event_type, status, data FROM events WHERE id > ? ORDER BY id LIMIT ?',
  );
  const first = db.prepare('SELECT at FROM events WHERE id > ? ORDER BY id LIMIT 1');
  const move = db.prepare(
    `UPDATE webhooks SET delivered_to = max(delivered_to, ?), delivered = delivered + ?, skipped = skipped + ?,
       problem = NULL, problem_at = NULL WHERE name = ?`,
  );
  const fail = db.prepare(
    'UPDATE webhooks SET problem = :reason, problem_at = coalesce(problem_at, :now) WHERE name = :name',
  );
  const bury = db.prepare(
    `INSERT OR REPLACE INTO webhook_dead (webhook, id, at, trace_id, event_type, status, data, reason, tries, set_aside_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const dead = db.prepare(
    `SELECT * FROM webhook_dead WHERE (:webhook IS NULL OR webhook = :webhook) AND (:again IS NULL OR again = :again)
     ORDER BY id LIMIT :limit`,
  );
  const again = db.prepare(
    'UPDATE webhook_dead SET again = 1 WHERE (:webhook IS NULL OR webhook = :webhook) AND (:id IS NULL OR id = :id)',
  );
  const discard = db.prepare(
    'DELETE FROM webhook_dead WHERE (:webhook IS NULL OR webhook = :webhook) AND (:id IS NULL OR id = :id)',
  );
  const trim = db.prepare(
    `DELETE FROM webhook_dead WHERE webhook = :webhook AND (set_aside_at < :before OR id NOT IN
       (SELECT id FROM webhook_dead WHERE webhook = :webhook ORDER BY id DESC LIMIT :most))`,
  );
  const refusedAgain = db.prepare(
    'UPDATE webhook_dead SET again = 0, tries = tries + 1, reason = ? WHERE webhook = ? AND id = ?',
  );
  const keep = db.prepare(
    `SELECT min(delivered_to) AS id FROM webhooks
     WHERE seen_at > ? OR name IN (SELECT value FROM json_each(?))`,
  );

  const place = (row: unknown) => {
    const { name } = row as PlaceRow;
    return placeOf(row as PlaceRow, gaps.all(name) as unknown as GapRow[]);
  };
  const lastId = () => Number(last.get()?.id);

  return {
    open: (webhook) =>
      run(() => {
        register.run(webhook, Date.now());
        return place(one.get(webhook));
      }),
    list: () => run(() => all.all().map(place)),
    hold: (webhook, { id, pid }, ms, isAlive) =>
      run(() => {
        const now = Date.now();
        const wish = { holder: id, pid, until: now + ms, now, name: webhook };
        if (Number(hold.run(wish).changes) > 0) return true;
        const other = holder.get(webhook) as { holder: string | null; pid: number } | undefined;
        // The holder has ended, or it had our process id in an earlier life (pid 1 in a container): take over.
        if (!other?.holder || (other.pid !== pid && isAlive(other.pid))) return false;
        free.run(webhook, other.holder);
        return Number(hold.run(wish).changes) > 0;
      }),
    release: (webhook, { id }) => run(() => void free.run(webhook, id)),
    after: (id, limit) => run(() => after.all(id, limit) as unknown as OutboxEvent[]),
    lastId: () => run(lastId),
    oldest: (id) =>
      run(() => {
        const row = first.get(id);
        return row && new Date(Number(row.at));
      }),
    delivered: (webhook, upTo, count) => run(() => void move.run(upTo, count, 0, webhook)),
    failed: (webhook, reason) => run(() => void fail.run({ name: webhook, reason, now: Date.now() })),
    setAside: (webhook, event, reason, tries) =>
      run(() => {
        const { id, at, trace_id, event_type, status, data } = event;
        inTransaction(db, () => {
          bury.run(webhook, id, at, trace_id, event_type, status, data, reason, tries, Date.now());
          move.run(id, 0, 0, webhook);
        });
      }),
    stopAfter: (webhook, id) => run(() => void openGap.run(webhook, id)),
    goOn: (webhook) => run(() => void closeGap.run(lastId(), webhook)),
    skip: (webhook, { from, to }) =>
      run(() => {
        inTransaction(db, () => {
          move.run(to, 0, to - from, webhook);
          removeGap.run(webhook, from);
        });
      }),
    dead: ({ webhook, again: asked, limit = 100 } = {}) =>
      run(() =>
        dead
          .all({ webhook: webhook ?? null, again: asked === undefined ? null : Number(asked), limit })
          .map((row) => deadOf(row as unknown as DeadRow)),
      ),
    retry: ({ webhook, id } = {}) => run(() => Number(again.run({ webhook: webhook ?? null, id: id ?? null }).changes)),
    discard: ({ webhook, id } = {}) =>
      run(() => Number(discard.run({ webhook: webhook ?? null, id: id ?? null }).changes)),
    trimDead: (webhook, most, before) =>
      run(() => Number(trim.run({ webhook, most, before: before.getTime() }).changes)),
    refusedAgain: (webhook, id, reason) => run(() => void refusedAgain.run(reason, webhook, id)),
    keepFrom: (configured = []) =>
      run(() => {
        const id = keep.get(Date.now() - FORGOTTEN_MS, JSON.stringify(configured))?.id;
        return typeof id === 'number' ? id + 1 : undefined;
      }),
  };
}
