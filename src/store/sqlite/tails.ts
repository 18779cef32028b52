import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './connection.ts';
import type { Run } from './run.ts';
import type { Tails } from '../store.ts';
import { tailOf, type TailRow } from '../tail-row.ts';

/** Stores how far watched files were read. */
export function sqliteTails(db: DatabaseSync, run: Run): Tails {
  const get = db.prepare('SELECT file, offset, head, skipping, bad, too_long FROM tails WHERE path = ?');
  const put = db.prepare(
    'INSERT OR REPLACE INTO tails (path, file, offset, head, skipping, bad, too_long) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insert = db.prepare('INSERT INTO events (at, trace_id, event_type, status, data) VALUES (?, ?, ?, ?, ?)');

  const read = (path: string) => tailOf(get.get(path) as unknown as TailRow | undefined);

  return {
    get: (path) => run(() => read(path)),
    commit: (path, from, to, events) =>
      run(() => {
        let done = false;
        inTransaction(db, () => {
          const now = read(path);
          // Another process watches the same file and was faster: do not store its lines twice.
          if (now?.file !== from?.file || now?.offset !== from?.offset) return;
          for (const { timestamp, trace_id, event_type, status, data } of events)
            insert.run(Date.parse(timestamp), trace_id, event_type, status, JSON.stringify(data));
          put.run(path, to.file, to.offset, to.head, to.skipping ? 1 : 0, to.bad, to.tooLong);
          done = true;
        });
        return done;
      }),
  };
}
