import { randomUUID } from 'node:crypto';
import type { Tails } from '../store.ts';
import { tailOf, type TailRow } from '../tail-row.ts';
import type { Database, Value } from './connection.ts';
import { appendTo, batchOf } from './event-batch.ts';

/** Stores how far watched files were read. */
export function postgresTails(database: Database): Tails {
  return {
    async get(path) {
      const [row] = await database.rows<TailRow>(
        'SELECT file, "offset", head, skipping, bad, too_long FROM tails WHERE path = $1',
        [path],
      );
      return tailOf(row);
    },
    async commit(path, from, to, events) {
      const batch = batchOf(events);
      const place: Value[] = [path, to.file, to.offset, to.head, to.skipping ? 1 : 0, to.bad, to.tooLong];
      return await database.transaction(async (session) => {
        // Another replica that watches the same file and was faster has moved the position: its lines are not stored twice.
        const moved = from
          ? await session.change(
              `UPDATE tails SET file = $2, "offset" = $3, head = $4, skipping = $5, bad = $6, too_long = $7
               WHERE path = $1 AND file = $8 AND "offset" = $9`,
              [...place, from.file, from.offset],
            )
          : await session.change(
              `INSERT INTO tails (path, file, "offset", head, skipping, bad, too_long) VALUES ($1, $2, $3, $4, $5, $6, $7)
               ON CONFLICT (path) DO NOTHING`,
              place,
            );
        if (moved === 0) return false;
        if (events.length > 0) await appendTo(session, batch, randomUUID());
        return true;
      });
    },
  };
}
