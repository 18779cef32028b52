export const wheres = ['disk', 's3'] as const;

/** Where a backup can be. */
export type Where = (typeof wheres)[number];

/** The first two segments of ids, as `segmentOf` writes them. */
export interface Within {
  readonly instance?: string | undefined;
  readonly folder?: string | undefined;
}

/** Keeps backups under their ids. Errors are AppErrors; `not_found` if there is no such backup. */
export interface BackupPlace {
  readonly name: Where;
  /** The ids in it, in any order. */
  list(within: Within, signal?: AbortSignal): Promise<string[]>;
  /** The first bytes of a backup, and the length of all of it. */
  start(id: string, length: number, signal?: AbortSignal): Promise<{ start: Buffer; bytes: number }>;
  read(id: string, signal?: AbortSignal): AsyncIterable<Buffer>;
  /** Leaves the complete backup or none, also if `content` throws. Returns its length. */
  write(id: string, content: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<number>;
  /** Those that are gone already are no error. */
  remove(ids: readonly string[], signal?: AbortSignal): Promise<void>;
  /** The size of all of these together. */
  sizeOf(ids: readonly string[]): Promise<number>;
}
