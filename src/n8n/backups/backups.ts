import type { Workflow } from '../client/shapes.ts';

/** What a backup was taken before; `asked` for the sake of it. */
export type BackupReason = 'asked' | 'update' | 'edit' | 'delete' | 'restore' | 'archive';

export const backupWhy = ['asked for', 'first of the day', 'automatic'] as const;

/** Why a backup exists. Only automatic ones make room for newer ones. */
export type BackupWhy = (typeof backupWhy)[number];

/** What is known of a backup without reading all of it. */
export interface BackupNote {
  /** Names it for the tools that restore, compare or delete it. */
  readonly id: string;
  readonly instance: string;
  /** Id of the workflow. */
  readonly workflow: string;
  readonly name: string;
  readonly taken: string;
  readonly reason: BackupReason;
  readonly why: BackupWhy;
  /** Whether it was published. */
  readonly active: boolean;
  readonly nodes: number;
  readonly bytes: number;
}

export interface Backup extends BackupNote {
  readonly content: Workflow;
}

/** For the backups that nobody asked for. */
export interface Limits {
  /** At most so many of each workflow. */
  readonly keep: number;
  /** None older than this; the newest of a workflow stays nevertheless. */
  readonly days?: number | undefined;
}

export interface BackupFilter {
  readonly instance?: string | undefined;
  /** Id of a workflow. */
  readonly workflow?: string | undefined;
}

export interface Pruned {
  readonly ids: readonly string[];
  readonly bytes: number;
  readonly kept: number;
}

/** An n8n as a whole, in parts that go into a file one after the other: it may be larger than the memory. */
export interface InstanceContent {
  readonly tags: readonly unknown[];
  /** Names and types; the values cannot be read. */
  readonly credentials: readonly unknown[];
  readonly workflows: AsyncIterable<Workflow>;
  readonly dataTables: AsyncIterable<{ table: unknown; rows: AsyncIterable<unknown> }>;
}

/** A backup of an n8n as a whole: somebody asked for it. */
export interface InstanceNote {
  readonly id: string;
  readonly instance: string;
  readonly taken: string;
  readonly bytes: number;
}

/** Keeps copies of workflows, so that whatever is done to one can be undone. */
export interface Backups {
  /** Writes it down before something is done to it; nothing is done when that fails. Returns the backup's id. */
  keep(instance: string, workflow: Workflow, reason: BackupReason): Promise<string>;
  /** The same, and tells whether it was written now: what is as it was in the last one is not written twice. */
  take(instance: string, workflow: Workflow, reason: BackupReason): Promise<{ id: string; isNew: boolean }>;
  /** The ids, the newest first. */
  ids(filter: BackupFilter): Promise<string[]>;
  note(id: string): Promise<BackupNote>;
  /** The whole of one, its checksum verified; of a backup of a whole n8n, the workflow with this id. */
  read(id: string, workflow?: string): Promise<Backup>;
  /**
   * Deletes what goes beyond the limits, or only tells what would go. With `all` also what was asked for (backups of a
   * whole n8n too, where no workflow is named) and the first of each day.
   */
  prune(
    filter: BackupFilter,
    limits: Partial<Limits>,
    options: { readonly all: boolean; readonly dryRun: boolean },
  ): Promise<Pruned>;
  /** Writes down an n8n as a whole. */
  keepInstance(instance: string, content: InstanceContent): Promise<InstanceNote>;
  /** Backups of n8n as a whole, the newest first. */
  instances(instance?: string): Promise<InstanceNote[]>;
}
