import { createHash } from 'node:crypto';
import type { Json } from '../../kernel/source.ts';
import type { Age, Memory, NewMemory, NewPassage, Provenance } from '../engine.ts';
import { type Sparse, sparseOf } from './sparse.ts';

/** Stands for "never" where Qdrant compares times: the last moment that JavaScript can name. */
const NEVER = 8.64e15;

/** What every point has: enough to filter by, and the text of its passage. */
interface PassagePayload {
  readonly id: string;
  readonly root: string;
  readonly namespace: string;
  /** From 0. The first one carries the whole memory. */
  readonly passage: number;
  /** Of the first: the whole memory. */
  readonly text: string;
  readonly tags: readonly string[];
  /** `key=json` for each value of the metadata that can be asked for. */
  readonly labels: readonly string[];
  readonly recorded_at: string;
  readonly recorded_ms: number;
  readonly valid_from: string;
  readonly valid_from_ms: number;
  readonly valid_to?: string;
  readonly valid_to_ms: number;
  readonly expires_at?: string | null;
  readonly expires_ms: number;
  readonly pinned: boolean;
  readonly superseded_by?: string;
}

/** What the first point has besides. */
export interface MemoryPayload extends PassagePayload {
  /** Where the text has more than one passage: the first of them. */
  readonly passage_text?: string;
  readonly metadata: Json;
  readonly supersedes?: string;
  readonly origin?: string;
  readonly by: Provenance;
  readonly recalls: number;
  readonly recalled_at?: string;
  readonly recalled_ms?: number;
  /** Of the text. */
  readonly bytes: number;
}

export type PointVectors = { meaning?: number[]; words?: Sparse };

export interface NewPoint {
  readonly id: string;
  readonly vector: PointVectors;
  readonly payload: Record<string, unknown>;
}

/** About how many bytes a point takes in a request. */
export const sizeOf = ({ vector: { meaning = [], words }, payload }: NewPoint): number =>
  Buffer.byteLength(JSON.stringify(payload)) + 5 * meaning.length + 20 * (words?.indices.length ?? 0) + 100;

const iso = (ms: number): string => new Date(ms).toISOString();

/** A UUID that the same text always has. */
function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  // Version 8 is for those made by a rule of one's own.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/**
 * The id of a passage's point. Two imports of the same origin have the same, so that only one of them can be inserted.
 * A later version never has one of an origin: the first version keeps it.
 */
export const pointIdOf = ({ id, namespace, origin, supersedes }: Memory, passage: number): string =>
  uuidOf(
    JSON.stringify(origin === undefined || supersedes !== undefined ? [id, passage] : [namespace, origin, passage]),
  );

/** Strings, numbers and truth values at the top: what can be asked for. */
export const labelOf = (key: string, value: unknown): string => `${key}=${JSON.stringify(value)}`;

const labelsOf = (metadata: Json): string[] =>
  Object.entries(metadata).flatMap(([key, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? [labelOf(key, value)] : [],
  );

/** The times of a version's end, in both spellings. */
export const endedAt = (at: number) => ({ valid_to: iso(at), valid_to_ms: at });

/** When all versions expire. */
export const expiryOf = (at: number | undefined) =>
  at === undefined ? { expires_at: null, expires_ms: NEVER } : { expires_at: iso(at), expires_ms: at };

export const recalledAt = (at: number) => ({ recalled_at: iso(at), recalled_ms: at });

/** The points of a memory. Throws if a vector is not of this collection. */
export function pointsOf({ memory, passages }: NewMemory, model: string, dimensions: number): NewPoint[] {
  const shared = {
    id: memory.id,
    root: memory.root,
    namespace: memory.namespace,
    tags: memory.tags,
    labels: labelsOf(memory.metadata),
    recorded_at: iso(memory.recordedAt),
    recorded_ms: memory.recordedAt,
    valid_from: iso(memory.validFrom),
    valid_from_ms: memory.validFrom,
    ...(memory.validTo === undefined ? { valid_to_ms: NEVER } : endedAt(memory.validTo)),
    ...expiryOf(memory.expiresAt),
    pinned: memory.pinned,
    ...(memory.supersededBy !== undefined && { superseded_by: memory.supersededBy }),
  };
  const first: Omit<MemoryPayload, 'passage'> = {
    ...shared,
    text: memory.text,
    ...(passages.length > 1 && { passage_text: passages[0]?.text ?? '' }),
    metadata: memory.metadata,
    ...(memory.supersedes !== undefined && { supersedes: memory.supersedes }),
    ...(memory.origin !== undefined && { origin: memory.origin }),
    by: memory.by,
    recalls: memory.recalls,
    ...(memory.recalledAt !== undefined && recalledAt(memory.recalledAt)),
    bytes: Buffer.byteLength(memory.text),
  };
  // A memory without passages is found by its id and its filters.
  const all: readonly NewPassage[] = passages.length > 0 ? passages : [{ text: memory.text, words: '' }];
  return all.map((passage, at) => ({
    id: pointIdOf(memory, at),
    vector: vectorsOf(passage, model, dimensions),
    payload: wellFormed({ passage: at, ...(at === 0 ? first : { ...shared, text: passage.text }) }),
  }));
}

function vectorsOf({ words, vector }: NewPassage, model: string, dimensions: number): PointVectors {
  const sparse = sparseOf(words.split(' '));
  return {
    ...(sparse && { words: sparse }),
    ...(vector?.model === model && { meaning: denseOf(vector.bytes, dimensions) }),
  };
}

/** Qdrant normalises what it compares by cosine: small whole numbers are as good, and a fifth as long as fractions. */
export function denseOf(bytes: Int8Array, dimensions: number): number[] {
  if (bytes.length !== dimensions) throw new RangeError(`A vector has ${bytes.length} dimensions, not ${dimensions}.`);
  return Array.from(bytes);
}

/** What `ageOf` reads. */
export const AGE_FIELDS = ['id', 'recorded_ms', 'pinned', 'recalls', 'recalled_ms'];

export const ageOf = (payload: MemoryPayload): Age => ({
  recordedAt: payload.recorded_ms,
  pinned: payload.pinned,
  recalls: payload.recalls,
  ...(payload.recalled_ms !== undefined && { recalledAt: payload.recalled_ms }),
});

export function memoryOf(payload: MemoryPayload): Memory {
  return {
    id: payload.id,
    root: payload.root,
    namespace: payload.namespace,
    text: payload.text,
    tags: payload.tags,
    metadata: withNumbers(payload.metadata),
    ...ageOf(payload),
    validFrom: payload.valid_from_ms,
    ...(payload.valid_to_ms !== NEVER && { validTo: payload.valid_to_ms }),
    ...(payload.expires_ms !== NEVER && { expiresAt: payload.expires_ms }),
    ...(payload.supersedes !== undefined && { supersedes: payload.supersedes }),
    ...(payload.superseded_by !== undefined && { supersededBy: payload.superseded_by }),
    ...(payload.origin !== undefined && { origin: payload.origin }),
    by: payload.by,
  };
}

/** Qdrant takes no half characters. What SQLite stores instead is stored here, too. */
const wellFormed = (payload: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(payload), (_, value: unknown) =>
    typeof value === 'string' && !value.isWellFormed() ? value.toWellFormed() : value,
  ) as Record<string, unknown>;

/** The client makes BigInts of large numbers. Nothing else that came out of JSON has them. */
function withNumbers<T>(value: T): T {
  if (typeof value === 'bigint') return Number(value) as T;
  if (Array.isArray(value)) return value.map(withNumbers) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNumbers(inner)])) as T;
}
