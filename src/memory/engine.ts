import type { Json } from '../kernel/source.ts';

/** One version of a memory. Times are milliseconds since 1970. */
export interface Memory {
  readonly id: string;
  /** The id of its first version. All versions of a memory have the same. */
  readonly root: string;
  readonly namespace: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly metadata: Json;
  /** Set by Sluice, never by a caller. */
  readonly recordedAt: number;
  /** When it began to be true: when it was recorded, unless the caller knows better. */
  readonly validFrom: number;
  /** When it ceased to be true. Exclusive. */
  readonly validTo?: number;
  /** When every version is erased. */
  readonly expiresAt?: number;
  readonly pinned: boolean;
  readonly supersedes?: string;
  readonly supersededBy?: string;
  /** Identifies what was imported: a namespace holds one memory of each origin. */
  readonly origin?: string;
  readonly by: Provenance;
  /** How often a search returned it, and when it last did. */
  readonly recalls: number;
  readonly recalledAt?: number;
}

export type Age = Pick<Memory, 'recordedAt' | 'recalledAt' | 'recalls' | 'pinned'>;

/** Who recorded it, with which client, in which call. */
export interface Provenance {
  readonly principal: string;
  readonly name?: string;
  readonly client?: string;
  /** Trace id of the call. */
  readonly call: string;
  /** Of an imported memory: when it was imported (ISO 8601), and who recorded it first, as the file says. */
  readonly imported_at?: string;
  readonly originally?: Recorder;
}

/** Provenance that comes from outside: nobody has checked it. */
export type Recorder = Partial<Pick<Provenance, 'principal' | 'name' | 'client' | 'call'>>;

export interface NewMemory {
  readonly memory: Memory;
  readonly passages: readonly NewPassage[];
}

/** A piece of a text, short enough for a model to take in. The passages of a text, in order, are the whole text. */
export interface NewPassage {
  readonly text: string;
  /** Its terms, separated by spaces: what search by words finds. */
  readonly words: string;
  /** Absent until a model has seen it. */
  readonly vector?: Vector;
}

/** A direction, one byte for each dimension, and the same with one bit for each. */
export interface Vector {
  /** Only vectors of the same model can be compared. */
  readonly model: string;
  readonly bytes: Int8Array;
  readonly bits: Uint8Array;
}

/** Which memories. */
export interface Wanted {
  readonly namespaces: readonly string[];
  /** Those that have not expired at this time. */
  readonly now: number;
  /** Those that are valid at this time; without it every version. */
  readonly validAt?: number;
  /** All of these. */
  readonly tags?: readonly string[];
  /** Top-level keys with exactly these values. */
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
  /** Recorded from this time on, and before that one. */
  readonly recordedFrom?: number;
  readonly recordedBefore?: number;
  readonly pinned?: boolean;
}

/** A passage that search found. */
export interface Hit {
  /** The version of the memory. */
  readonly id: string;
  /** Which of its passages, from 0. */
  readonly passage: number;
  readonly text: string;
  /** Higher is better; comparable within one answer only. Of `byMeaning`: the cosine. */
  readonly score: number;
}

export interface NamespaceContent {
  readonly namespace: string;
  /** Memories that are valid now and have not expired. */
  readonly memories: number;
  /** Of all memories, ended ones too. */
  readonly versions: number;
  readonly passages: number;
  /** Passages that search by meaning finds: with a vector of this model. */
  readonly embedded: number;
  readonly pinned: number;
  /** Of the texts. */
  readonly bytes: number;
  readonly oldest?: number;
  readonly newest?: number;
}

/**
 * Where memories are stored. Each implementation passes the tests of engine.contract.ts. It knows no rules: who may read a
 * namespace, what a duplicate is and how results are ranked is decided above it.
 */
export interface MemoryEngine extends AsyncDisposable {
  /** For people: `SQLite`, `PostgreSQL with pgvector`, `Qdrant at http://…`. */
  readonly name: string;
  /** All or none. Leaves out those whose origin is in their namespace already; returns the ids of the others. */
  add(memories: readonly NewMemory[]): Promise<readonly string[]>;
  /**
   * Ends the version `id` at this time and adds its successor, or neither. Every version expires when the successor does.
   * False if it is not the last version any more.
   */
  supersede(id: string, at: number, next: NewMemory): Promise<boolean>;
  /** The versions with these ids, in this order; those that do not exist are left out. */
  get(ids: readonly string[]): Promise<readonly Memory[]>;
  /** What age is judged by, without the texts. */
  ages(ids: readonly string[]): Promise<ReadonlyMap<string, Age>>;
  /** The best first. `terms` are as in `words`; a passage needs one of them. */
  byWords(terms: readonly string[], wanted: Wanted, limit: number): Promise<readonly Hit[]>;
  /** The nearest first. Compares vectors of the same model only. */
  byMeaning(vector: Vector, wanted: Wanted, limit: number): Promise<readonly Hit[]>;
  /** Newest first. `after` is the last id of the page before. */
  page(wanted: Wanted, limit: number, after?: string): Promise<readonly Memory[]>;
  /** Every version of a memory, oldest first. */
  versions(root: string): Promise<readonly Memory[]>;
  /** Returns whether it exists. */
  pin(id: string, pinned: boolean): Promise<boolean>;
  recalled(ids: readonly string[], at: number): Promise<void>;
  /** Deletes these memories with every version. Returns how many there were. */
  erase(roots: readonly string[]): Promise<number>;
  /** The roots of all memories with a version that fits, at most `limit`. */
  roots(wanted: Wanted, limit: number): Promise<readonly string[]>;
  /** Deletes what has expired. Returns the namespaces it was in. */
  eraseExpired(now: number): Promise<readonly string[]>;
  /** Deletes everything in a namespace. */
  drop(namespace: string): Promise<void>;
  /** Those that hold memories. */
  namespaces(): Promise<readonly string[]>;
  /** About how many bytes of the store the versions take up that a principal recorded. Absent if they are elsewhere. */
  stored?(principal: string): Promise<number>;
  contents(namespaces: readonly string[], model: string, now: number): Promise<readonly NamespaceContent[]>;
  /** Passages that have no vector of this model. */
  toEmbed(model: string, limit: number): Promise<readonly { readonly passage: string; readonly text: string }[]>;
  /** How many those are. */
  countToEmbed(model: string): Promise<number>;
  embedded(vectors: readonly { readonly passage: string; readonly vector: Vector }[]): Promise<void>;
}
