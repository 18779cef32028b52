import type { Json } from '../../kernel/source.ts';
import type { Statement } from '../../store/store.ts';
import type { Memory, NewMemory, Provenance } from '../engine.ts';
import type { Dialect } from './dialect.ts';
import { labelsOf } from './wanted.ts';

/** A row of `memories m JOIN memory_spaces s`. */
export interface MemoryRow {
  readonly id: string;
  readonly root: string;
  readonly namespace: string;
  readonly text: string;
  readonly tags: string;
  readonly metadata: string;
  readonly recorded_at: number;
  readonly valid_from: number;
  readonly valid_to: number | null;
  readonly expires_at: number | null;
  readonly pinned: number;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
  readonly origin: string | null;
  readonly provenance: string;
  readonly recalls: number;
  readonly recalled_at: number | null;
}

export const MEMORY_COLUMNS = `m.id, m.root, s.name AS namespace, m.text, m.tags, m.metadata, m.recorded_at, m.valid_from,
  m.valid_to, m.expires_at, m.pinned, m.supersedes, m.superseded_by, m.origin, m.provenance, m.recalls, m.recalled_at`;

export const memoryOf = (row: MemoryRow): Memory => ({
  id: row.id,
  root: row.root,
  namespace: row.namespace,
  text: row.text,
  tags: JSON.parse(row.tags) as string[],
  metadata: JSON.parse(row.metadata) as Json,
  recordedAt: row.recorded_at,
  validFrom: row.valid_from,
  ...(row.valid_to !== null && { validTo: row.valid_to }),
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  pinned: row.pinned !== 0,
  ...(row.supersedes !== null && { supersedes: row.supersedes }),
  ...(row.superseded_by !== null && { supersededBy: row.superseded_by }),
  ...(row.origin !== null && { origin: row.origin }),
  by: JSON.parse(row.provenance) as Provenance,
  recalls: row.recalls,
  ...(row.recalled_at !== null && { recalledAt: row.recalled_at }),
});

/** The statements that store a memory. `must`: it has to be new, otherwise nothing of the batch happens. */
export function insertionOf({ memory, passages }: NewMemory, dialect: Dialect, must = false): Statement[] {
  const { integer, text, bytes, bits, items, bitValue } = dialect;
  const { id } = memory;
  // An import brings its ids. Two at the same time may bring the same: the second adds nothing.
  const whole = passages.length === 1 && passages[0]?.text === memory.text;
  const values = [
    id,
    memory.root,
    memory.text,
    JSON.stringify(memory.tags),
    JSON.stringify(memory.metadata),
    memory.recordedAt,
    memory.validFrom,
    memory.validTo ?? null,
    memory.expiresAt ?? null,
    memory.pinned ? 1 : 0,
    memory.supersedes ?? null,
    memory.supersededBy ?? null,
    memory.origin ?? null,
    JSON.stringify(memory.by),
    memory.recalls,
    memory.recalledAt ?? null,
    memory.namespace,
  ];
  return [
    { sql: 'INSERT INTO memory_spaces (name) VALUES (?) ON CONFLICT (name) DO NOTHING', values: [memory.namespace] },
    {
      sql: `INSERT INTO memories (id, root, text, tags, metadata, recorded_at, valid_from, valid_to, expires_at, pinned,
              supersedes, superseded_by, origin, provenance, recalls, recalled_at, space)
            SELECT ${text}, ${text}, ${text}, ${text}, ${text}, ${integer}, ${integer}, ${integer}, ${integer}, ${integer},
              ${text}, ${text}, ${text}, ${text}, ${integer}, ${integer}, number
            FROM memory_spaces WHERE name = ? ON CONFLICT DO NOTHING`,
      values,
      ...(must && { expect: 1 }),
    },
    {
      sql: `INSERT INTO memory_labels (label, memory)
            SELECT e.value, m.number FROM ${items}, memories m WHERE m.id = ? ON CONFLICT DO NOTHING`,
      values: [JSON.stringify(labelsOf(memory)), id],
    },
    ...passages.flatMap((passage, at): Statement[] => [
      {
        sql: `INSERT INTO memory_passages (memory, space, at, text, words)
              SELECT number, space, ${integer}, ${text}, ${text} FROM memories m WHERE id = ?
                AND NOT EXISTS (SELECT 1 FROM memory_passages p WHERE p.memory = m.number AND p.at = ?)`,
        values: [at, whole ? null : passage.text, passage.words, id, at],
      },
      ...(passage.vector
        ? [
            {
              sql: `INSERT INTO memory_vectors (passage, space, model, bits)
                    SELECT p.number, p.space, ${text}, ${bits} FROM memories m JOIN memory_passages p ON p.memory = m.number
                    WHERE m.id = ? AND p.at = ?`,
              values: [passage.vector.model, bitValue(passage.vector.bits), id, at],
            },
            {
              sql: `INSERT INTO memory_bytes (passage, bytes)
                    SELECT p.number, ${bytes} FROM memories m JOIN memory_passages p ON p.memory = m.number
                    WHERE m.id = ? AND p.at = ?`,
              values: [unsigned(passage.vector.bytes), id, at],
            },
          ]
        : []),
    ]),
  ];
}

export const unsigned = (bytes: Int8Array): Uint8Array => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
