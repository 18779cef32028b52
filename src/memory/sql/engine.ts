import type { TablesApart, TableValue } from '../../store/store.ts';
import type { Hit, MemoryEngine, Wanted } from '../engine.ts';
import { contentsOf } from './contents.ts';
import { dialectOf } from './dialect.ts';
import { nearestIn } from './nearest.ts';
import { insertionOf, MEMORY_COLUMNS, memoryOf, type MemoryRow, unsigned } from './rows.ts';
import { conditionOf, type Condition } from './wanted.ts';
import { wordsIn } from './words.ts';

const MEMORIES = 'memories m JOIN memory_spaces s ON s.number = m.space';
/** So many at once hold up other writers for some milliseconds at most. */
const ERASED_AT_ONCE = 200;

/** Memories in the tables of the store. */
export function sqlEngine(tables: TablesApart): MemoryEngine {
  const dialect = dialectOf(tables);
  const { isText } = dialect;
  /** Spaces are never renumbered. */
  const numbers = new Map<string, number>();

  async function spacesOf(namespaces: readonly string[]): Promise<number[]> {
    const unknown = namespaces.filter((name) => !numbers.has(name));
    if (unknown.length > 0) {
      const found = await tables.rows<{ name: string; number: number }>(
        `SELECT name, number FROM memory_spaces WHERE name ${isText}`,
        JSON.stringify(unknown),
      );
      for (const { name, number } of found) numbers.set(name, number);
    }
    return namespaces.flatMap((name) => numbers.get(name) ?? []);
  }

  const select = async (rest: string, ...values: readonly TableValue[]) =>
    (await tables.rows<MemoryRow>(`SELECT ${MEMORY_COLUMNS} FROM ${MEMORIES} ${rest}`, ...values)).map(memoryOf);

  /** Runs a search in the spaces that exist; finds nothing if there are none. */
  async function within(
    wanted: Wanted,
    search: (condition: Condition, spaces: readonly number[]) => Promise<Hit[]>,
  ): Promise<Hit[]> {
    const spaces = await spacesOf(wanted.namespaces);
    return spaces.length === 0 ? [] : search(conditionOf(wanted, spaces, dialect), spaces);
  }

  async function erase(roots: readonly string[]): Promise<number> {
    let erased = 0;
    for (let from = 0; from < roots.length; from += ERASED_AT_ONCE) {
      const some = JSON.stringify(roots.slice(from, from + ERASED_AT_ONCE));
      const [found] = await tables.rows<{ count: number }>(
        `SELECT count(DISTINCT root) AS count FROM memories WHERE root ${isText}`,
        some,
      );
      await tables.change(`DELETE FROM memories WHERE root ${isText}`, some);
      erased += found?.count ?? 0;
    }
    return erased;
  }

  const words = wordsIn(tables, dialect);
  const nearest = nearestIn(tables, dialect);

  return {
    name: tables.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    async add(memories) {
      if (memories.length === 0) return [];
      await tables.batch(memories.flatMap((memory) => insertionOf(memory, dialect)));
      const ids = memories.map(({ memory }) => memory.id);
      const found = await tables.rows<{ id: string }>(
        `SELECT id FROM memories WHERE id ${isText}`,
        JSON.stringify(ids),
      );
      const stored = new Set(found.map(({ id }) => id));
      return ids.filter((id) => stored.has(id));
    },
    async supersede(id, at, next) {
      const done = await tables.batch([
        {
          sql: 'UPDATE memories SET valid_to = ?, superseded_by = ? WHERE id = ? AND superseded_by IS NULL',
          values: [at, next.memory.id, id],
          expect: 1,
        },
        // It is the memory that expires, with every version.
        {
          sql: `UPDATE memories SET expires_at = ${dialect.integer}
                WHERE root = ? AND expires_at IS DISTINCT FROM ${dialect.integer}`,
          values: [next.memory.expiresAt ?? null, next.memory.root, next.memory.expiresAt ?? null],
        },
        ...insertionOf(next, dialect, true),
      ]);
      return done !== undefined;
    },
    async get(ids) {
      const found = await select(`WHERE m.id ${isText}`, JSON.stringify(ids));
      const byId = new Map(found.map((memory) => [memory.id, memory]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    async ages(ids) {
      const rows = await tables.rows<Pick<MemoryRow, 'id' | 'recorded_at' | 'recalls' | 'recalled_at' | 'pinned'>>(
        `SELECT id, recorded_at, recalls, recalled_at, pinned FROM memories WHERE id ${isText}`,
        JSON.stringify(ids),
      );
      return new Map(
        rows.map(({ id, recorded_at: recordedAt, recalls, recalled_at: recalledAt, pinned }) => [
          id,
          { recordedAt, recalls, ...(recalledAt !== null && { recalledAt }), pinned: pinned !== 0 },
        ]),
      );
    },
    byWords: (terms, wanted, limit) => within(wanted, (condition, spaces) => words(terms, condition, spaces, limit)),
    byMeaning: (vector, wanted, limit) =>
      within(wanted, (condition, spaces) => nearest({ vector, wanted, condition, spaces, limit })),
    async page(wanted, limit, after) {
      const { sql, values } = conditionOf(wanted, await spacesOf(wanted.namespaces), dialect);
      const place = '(SELECT a.recorded_at, a.number FROM memories a WHERE a.id = ?)';
      return select(
        `WHERE ${sql} ${after === undefined ? '' : `AND (m.recorded_at, m.number) < ${place}`}
         ORDER BY m.recorded_at DESC, m.number DESC LIMIT ?`,
        ...values,
        ...(after === undefined ? [] : [after]),
        limit,
      );
    },
    versions: (root) => select('WHERE m.root = ? ORDER BY m.number', root),
    async pin(id, pinned) {
      return (await tables.change('UPDATE memories SET pinned = ? WHERE id = ?', pinned ? 1 : 0, id)) > 0;
    },
    async recalled(ids, at) {
      await tables.change(
        `UPDATE memories SET recalls = recalls + 1, recalled_at = ? WHERE id ${isText}`,
        at,
        JSON.stringify(ids),
      );
    },
    erase,
    async roots(wanted, limit) {
      const { sql, values } = conditionOf(wanted, await spacesOf(wanted.namespaces), dialect);
      const rows = await tables.rows<{ root: string }>(
        `SELECT DISTINCT m.root FROM memories m WHERE ${sql} LIMIT ?`,
        ...values,
        limit,
      );
      return rows.map(({ root }) => root);
    },
    async eraseExpired(now) {
      const rows = await tables.rows<{ root: string; name: string }>(
        `SELECT DISTINCT m.root, s.name FROM ${MEMORIES} WHERE m.expires_at <= ?`,
        now,
      );
      await erase(rows.map(({ root }) => root));
      return [...new Set(rows.map(({ name }) => name))];
    },
    async drop(namespace) {
      const space = '(SELECT number FROM memory_spaces WHERE name = ?)';
      const some = `DELETE FROM memories WHERE number IN (SELECT number FROM memories WHERE space = ${space} LIMIT ?)`;
      while ((await tables.change(some, namespace, ERASED_AT_ONCE)) > 0);
    },
    async namespaces() {
      const rows = await tables.rows<{ name: string }>(
        `SELECT name FROM memory_spaces s WHERE EXISTS (SELECT 1 FROM memories m WHERE m.space = s.number)`,
      );
      return rows.map(({ name }) => name);
    },
    async stored(principal) {
      const [row] = await tables.rows<{ bytes: number | string }>(
        'SELECT coalesce(sum(bytes), 0) AS bytes FROM memories WHERE owner = ?',
        principal,
      );
      return Number(row?.bytes ?? 0);
    },
    contents: contentsOf(tables, dialect),
    async toEmbed(model, limit) {
      const rows = await tables.rows<{ number: number; text: string }>(
        `SELECT p.number, coalesce(p.text, m.text) AS text FROM memory_passages p JOIN memories m ON m.number = p.memory
         LEFT JOIN memory_vectors v ON v.passage = p.number
         WHERE v.model IS NULL OR v.model <> ? ORDER BY p.number LIMIT ?`,
        model,
        limit,
      );
      return rows.map(({ number, text }) => ({ passage: String(number), text }));
    },
    async countToEmbed(model) {
      // A passage has one vector at most.
      const [row] = await tables.rows<{ count: number }>(
        `SELECT (SELECT count(*) FROM memory_passages) - (SELECT count(*) FROM memory_vectors WHERE model = ?) AS count`,
        model,
      );
      return row?.count ?? 0;
    },
    async embedded(vectors) {
      const { text, bits, bytes, bitValue } = dialect;
      await tables.batch(
        vectors.flatMap(({ passage, vector }) => [
          {
            sql: `INSERT INTO memory_vectors (passage, space, model, bits)
                  SELECT number, space, ${text}, ${bits} FROM memory_passages WHERE number = ?
                  ON CONFLICT (passage) DO UPDATE SET model = excluded.model, bits = excluded.bits`,
            values: [vector.model, bitValue(vector.bits), Number(passage)],
          },
          {
            sql: `INSERT INTO memory_bytes (passage, bytes) SELECT number, ${bytes} FROM memory_passages WHERE number = ?
                  ON CONFLICT (passage) DO UPDATE SET bytes = excluded.bytes`,
            values: [unsigned(vector.bytes), Number(passage)],
          },
        ]),
      );
    },
    async [Symbol.asyncDispose]() {},
  };
}
