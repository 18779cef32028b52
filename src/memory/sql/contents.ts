import type { TablesApart } from '../../store/store.ts';
import type { MemoryEngine } from '../engine.ts';
import type { Dialect } from './dialect.ts';

interface Row {
  readonly namespace: string;
  readonly memories: number;
  readonly versions: number;
  readonly pinned: number;
  readonly bytes: number;
  readonly oldest: number;
  readonly newest: number;
}

/** Counts what is in each namespace. */
export function contentsOf(tables: TablesApart, { isText }: Dialect): MemoryEngine['contents'] {
  return async (namespaces, model, now) => {
    const names = JSON.stringify(namespaces);
    const [rows, passages] = await Promise.all([
      tables.rows<Row>(
        `SELECT s.name AS namespace, count(*) AS versions,
           sum(CASE WHEN m.valid_from <= ? AND (m.valid_to IS NULL OR m.valid_to > ?) THEN 1 ELSE 0 END) AS memories,
           sum(m.pinned) AS pinned, sum(octet_length(m.text)) AS bytes,
           min(m.recorded_at) AS oldest, max(m.recorded_at) AS newest
         FROM memory_spaces s JOIN memories m ON m.space = s.number
         WHERE s.name ${isText} AND (m.expires_at IS NULL OR m.expires_at > ?) GROUP BY s.name`,
        now,
        now,
        names,
        now,
      ),
      tables.rows<{ namespace: string; passages: number; embedded: number }>(
        `SELECT s.name AS namespace, count(*) AS passages, count(v.passage) AS embedded
         FROM memory_spaces s JOIN memory_passages p ON p.space = s.number
         LEFT JOIN memory_vectors v ON v.passage = p.number AND v.model = ?
         WHERE s.name ${isText} GROUP BY s.name`,
        model,
        names,
      ),
    ]);
    const byName = new Map(rows.map((row) => [row.namespace, row]));
    const counted = new Map(passages.map((row) => [row.namespace, row]));
    return namespaces.map((namespace) => {
      const row = byName.get(namespace);
      const { passages: count = 0, embedded = 0 } = counted.get(namespace) ?? {};
      return {
        namespace,
        memories: row?.memories ?? 0,
        versions: row?.versions ?? 0,
        passages: count,
        embedded,
        pinned: row?.pinned ?? 0,
        bytes: row?.bytes ?? 0,
        ...(row && { oldest: row.oldest, newest: row.newest }),
      };
    });
  };
}
