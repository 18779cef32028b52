import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { BLOCK, type Digest, digestOf, type DigestedEvent, mayHold } from './event-digest.ts';
import type { Selection } from './event-query.ts';

interface DigestRow {
  block: number;
  min_at: number;
  max_at: number;
  types: string;
  terms: string | null;
  traces: Uint8Array;
}

/** The digests of full blocks: kept in a table of their own, and read once. */
export function eventDigests(db: DatabaseSync) {
  const load = db.prepare('SELECT * FROM event_digests');
  const events = db.prepare('SELECT at, trace_id, event_type, status, data FROM events WHERE id BETWEEN ? AND ?');
  const put = db.prepare(
    'INSERT OR REPLACE INTO event_digests (block, min_at, max_at, types, terms, traces) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const drop = db.prepare('DELETE FROM event_digests WHERE block < ?');
  let known: Map<number, Digest> | undefined;
  let completing = false;

  function all(): Map<number, Digest> {
    known ??= new Map(load.all().map((row) => digestIn(row as unknown as DigestRow)));
    return known;
  }

  function make(block: number): void {
    const rows = events.all(block * BLOCK, (block + 1) * BLOCK - 1) as unknown as DigestedEvent[];
    const digest = digestOf(rows);
    all().set(block, digest);
    // A block that was emptied is passed over as well, but not worth a row.
    if (rows.length === 0) return;
    const { minAt, maxAt, types, terms, traces } = digest;
    put.run(block, minAt, maxAt, JSON.stringify(types), terms ? JSON.stringify([...terms]) : null, traces);
  }

  return {
    /** Which blocks may hold what is looked for; those without a digest always may. */
    filter(selection: Selection): (block: number) => boolean {
      const digests = all();
      return (block) => {
        const digest = digests.get(block);
        return digest === undefined || mayHold(digest, selection);
      };
    },

    /** Makes the digests that are missing, in the background, a block at a time. Ids only grow: a full block is final. */
    complete(first: number, last: number): void {
      if (completing) return;
      completing = true;
      void (async () => {
        try {
          for (let block = Math.floor(first / BLOCK); (block + 1) * BLOCK <= last; block++) {
            if (all().has(block)) continue;
            await setImmediate();
            if (!db.isOpen) return;
            make(block);
          }
        } catch {
          // Without a digest the block is read instead; the next query tries again.
        } finally {
          completing = false;
        }
      })();
    },

    /** What was deleted needs no digest. A digest of a block that has lost some of its events still holds. */
    forget(first: number): void {
      const block = Math.floor(first / BLOCK);
      drop.run(block);
      for (const old of all().keys()) if (old < block) all().delete(old);
    },
  };
}

function digestIn({ block, min_at, max_at, types, terms, traces }: DigestRow): [number, Digest] {
  return [
    block,
    {
      minAt: min_at,
      maxAt: max_at,
      types: JSON.parse(types) as string[],
      terms: terms === null ? undefined : new Set(JSON.parse(terms) as string[]),
      traces,
    },
  ];
}
