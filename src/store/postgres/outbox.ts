import { deadOf, type DeadRow, FORGOTTEN_MS, type GapRow, placeOf, type PlaceRow } from '../outbox-row.ts';
import type { Outbox, OutboxEvent } from '../store.ts';
import type { Database, Session } from './connection.ts';
import { DEAD_MS } from './shared/replicas.ts';

/** The outbox consists of the events table, a position for each webhook, and the few events set aside. */
export function postgresOutbox(database: Database, replica: string): Outbox {
  const columns = `name, delivered_to, delivered, skipped, problem, problem_at,
    (SELECT count(*) FROM webhook_dead WHERE webhook = name) AS dead`;

  const gapsOf = (name: string) =>
    database.rows<GapRow>('SELECT from_id, to_id FROM webhook_gaps WHERE webhook = $1 ORDER BY from_id', [name]);

  async function lastId(): Promise<number> {
    const [row] = await database.rows<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM events');
    return row?.id ?? 0;
  }

  const move = (session: Session, webhook: string, to: number, delivered: number, skipped: number) =>
    session.change(
      `UPDATE webhooks SET delivered_to = greatest(delivered_to, $2), delivered = delivered + $3, skipped = skipped + $4,
         problem = NULL, problem_at = NULL WHERE name = $1`,
      [webhook, to, delivered, skipped],
    );

  const matching = '($1::text IS NULL OR webhook = $1) AND ($2::bigint IS NULL OR id = $2)';

  return {
    async open(webhook) {
      // Start after the last id ever used, even if that event was deleted.
      await database.change(
        `INSERT INTO webhooks (name, delivered_to, seen_at)
         VALUES ($1, greatest((SELECT max(id) FROM events), pg_sequence_last_value('events_id_seq'), 0), $2)
         ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at`,
        [webhook, Date.now()],
      );
      const [row] = await database.rows<PlaceRow>(`SELECT ${columns} FROM webhooks WHERE name = $1`, [webhook]);
      return placeOf(row as PlaceRow, await gapsOf(webhook));
    },
    async list() {
      const rows = await database.rows<PlaceRow>(`SELECT ${columns} FROM webhooks ORDER BY name`);
      return Promise.all(rows.map(async (row) => placeOf(row, await gapsOf(row.name))));
    },
    // Process ids mean nothing on another machine: a holder lives as long as its replica, and for a while after each renewal,
    // because it may hold before the first heartbeat of its replica.
    hold: async (webhook, { id }, ms) =>
      (await database.change(
        `UPDATE webhooks SET holder = $2, holder_replica = $3, renewed_at = now(),
           held_until = now() + $4 * interval '1 ms', seen_at = $5
         WHERE name = $1 AND (
           holder IS NULL OR holder = $2 OR holder_replica = $3 OR held_until < now()
           OR renewed_at < now() - interval '${DEAD_MS} ms' AND NOT EXISTS (
             SELECT 1 FROM replicas WHERE id = holder_replica AND replicas.seen_at >= now() - interval '${DEAD_MS} ms'))`,
        [webhook, id, replica, ms, Date.now()],
      )) > 0,
    async release(webhook, { id }) {
      await database.change('UPDATE webhooks SET holder = NULL WHERE name = $1 AND holder = $2', [webhook, id]);
    },
    after: (id, limit) =>
      database.rows<OutboxEvent>(
        'SELECT id, at, trace_id, event_type, status, data FROM events WHERE id > $1 ORDER BY id LIMIT $2',
        [id, limit],
      ),
    lastId,
    async oldest(after) {
      const [row] = await database.rows<{ at: number }>('SELECT at FROM events WHERE id > $1 ORDER BY id LIMIT 1', [
        after,
      ]);
      return row && new Date(row.at);
    },
    async delivered(webhook, upTo, count) {
      await move(database, webhook, upTo, count, 0);
    },
    async failed(webhook, reason) {
      await database.change('UPDATE webhooks SET problem = $2, problem_at = coalesce(problem_at, $3) WHERE name = $1', [
        webhook,
        reason,
        Date.now(),
      ]);
    },
    setAside: (webhook, { id, at, trace_id, event_type, status, data }, reason, tries) =>
      database.transaction(async (session) => {
        await session.change(
          `INSERT INTO webhook_dead (webhook, id, at, trace_id, event_type, status, data, reason, tries, set_aside_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           ON CONFLICT (webhook, id) DO UPDATE SET reason = excluded.reason, tries = excluded.tries,
             set_aside_at = excluded.set_aside_at, again = 0`,
          [webhook, id, at, trace_id, event_type, status, data, reason, tries, Date.now()],
        );
        await move(session, webhook, id, 0, 0);
      }),
    async stopAfter(webhook, id) {
      await database.change('INSERT INTO webhook_gaps (webhook, from_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        webhook,
        id,
      ]);
    },
    async goOn(webhook) {
      await database.change(
        'UPDATE webhook_gaps SET to_id = greatest(from_id, (SELECT max(id) FROM events)) WHERE webhook = $1 AND to_id IS NULL',
        [webhook],
      );
    },
    skip: (webhook, { from, to }) =>
      database.transaction(async (session) => {
        await move(session, webhook, to, 0, to - from);
        await session.change('DELETE FROM webhook_gaps WHERE webhook = $1 AND from_id = $2', [webhook, from]);
      }),
    async dead({ webhook, again, limit = 100 } = {}) {
      const rows = await database.rows<DeadRow>(
        `SELECT webhook, id, at, trace_id, event_type, status, data, reason, tries, set_aside_at, again FROM webhook_dead
         WHERE ($1::text IS NULL OR webhook = $1) AND ($2::integer IS NULL OR again = $2) ORDER BY id LIMIT $3`,
        [webhook ?? null, again === undefined ? null : Number(again), limit],
      );
      return rows.map(deadOf);
    },
    retry: ({ webhook, id } = {}) =>
      database.change(`UPDATE webhook_dead SET again = 1 WHERE ${matching}`, [webhook ?? null, id ?? null]),
    discard: ({ webhook, id } = {}) =>
      database.change(`DELETE FROM webhook_dead WHERE ${matching}`, [webhook ?? null, id ?? null]),
    trimDead: (webhook, most, before) =>
      database.change(
        `DELETE FROM webhook_dead WHERE webhook = $1 AND (set_aside_at < $2 OR id NOT IN
           (SELECT id FROM webhook_dead WHERE webhook = $1 ORDER BY id DESC LIMIT $3))`,
        [webhook, before.getTime(), most],
      ),
    async refusedAgain(webhook, id, reason) {
      await database.change(
        'UPDATE webhook_dead SET again = 0, tries = tries + 1, reason = $3 WHERE webhook = $1 AND id = $2',
        [webhook, id, reason],
      );
    },
    async keepFrom(configured = []) {
      const [row] = await database.rows<{ id: number | null }>(
        'SELECT min(delivered_to) AS id FROM webhooks WHERE seen_at > $1 OR name = ANY($2::text[])',
        [Date.now() - FORGOTTEN_MS, configured],
      );
      return typeof row?.id === 'number' ? row.id + 1 : undefined;
    },
  };
}
