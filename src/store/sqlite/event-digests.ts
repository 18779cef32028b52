import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { BLOCK, type Digest, digestOf, type DigestedEvent, mayHold } from './event-digest.ts';
import type { Selection } from '../event-query.ts';

interface DigestRow {
  block: number;
  min_at: number;
  max_at: number;
  types: string;
  terms: string | null;
  traces: Uint8Array;
}

/** The digests of full blocks: stored in their own table, and loaded once. */
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
    // An empty block can be skipped too, but needs no row.
    if (rows.length === 0) return;
    const { minAt, maxAt, types, terms, traces } = digest;
    put.run(block, minAt, maxAt, JSON.stringify(types), terms ? JSON.stringify([...terms]) : null, traces);
  }

  return {
    /** Tells which blocks may contain matches. A block without a digest always may. */
    filter(selection: Selection): (block: number) => boolean {
      const digests = all();
      return (block) => {
        const digest = digests.get(block);
        return digest === undefined || mayHold(digest, selection);
      };
    },

    /** Builds missing digests in the background, one block at a time. Ids only grow, so a full block is final. */
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
          // Without a digest the block is read instead. The next query tries again.
        } finally {
          completing = false;
        }
      })();
    },

    /** Deletes the digests of deleted blocks. A digest stays valid if its block lost some events. */
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
