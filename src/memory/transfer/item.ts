import type { Json } from '../../kernel/source.ts';
import type { Recorder } from '../engine.ts';

/** A memory to import: everything but the text may be missing. Times are milliseconds since 1970. */
export interface NewImport {
  /** Its id where it comes from, and the id of the version that it supersedes there. */
  readonly id?: string;
  readonly supersedes?: string;
  readonly namespace?: string;
  readonly text: string;
  readonly tags?: readonly string[];
  readonly metadata?: Json;
  readonly recordedAt?: number;
  readonly validFrom?: number;
  readonly validTo?: number;
  readonly expiresAt?: number;
  readonly pinned?: boolean;
  readonly origin?: string;
  readonly recalls?: number;
  readonly recalledAt?: number;
  /** Who recorded it, as the file says. */
  readonly by?: Recorder;
}

/** A line of server-memory's file. */
export type GraphLine = EntityLine | RelationLine;

/** What our own export has besides. */
export interface Besides {
  readonly properties?: Json;
  readonly valid_from?: string;
  readonly valid_to?: string;
}

export interface EntityLine extends Besides {
  readonly type: 'entity';
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

export interface RelationLine extends Besides {
  readonly type: 'relation';
  readonly from: string;
  readonly relationType: string;
  readonly to: string;
}

/** Something in a file that cannot be imported. */
export interface Problem {
  /** From 1; of a JSON file the number of the item. Absent if the whole file is meant. */
  readonly line?: number;
  readonly reason: string;
}

/** What a file contains. */
export interface Parsed {
  readonly memories: readonly NewImport[];
  readonly graph: readonly GraphLine[];
  readonly problems: readonly Problem[];
}

export type Format = 'jsonl' | 'markdown' | 'json';
