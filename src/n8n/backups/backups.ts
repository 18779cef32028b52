import type { Workflow } from '../client/shapes.ts';

/** The change that a backup was taken before. `asked`: somebody asked for the backup itself. */
export type BackupReason = 'asked' | 'update' | 'edit' | 'delete' | 'restore' | 'archive';

export const backupWhy = ['asked for', 'first of the day', 'automatic'] as const;

/** Why a backup exists. Newer ones replace only automatic ones. */
export type BackupWhy = (typeof backupWhy)[number];

/** The summary of a backup, read from the first line of its file. */
export interface BackupNote {
  /** The tools that restore, compare or delete it take this id. */
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

/** Retention limits for the backups that nobody asked for. */
export interface Limits {
  /** How many to keep of each workflow. */
  readonly keep: number;
  /** How old they may get. The newest of a workflow stays even if it is older. */
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

/** A whole n8n as streams, because it may not fit into memory. */
export interface InstanceContent {
  readonly tags: readonly unknown[];
  /** Names and types. n8n never shows the values. */
  readonly credentials: readonly unknown[];
  readonly workflows: AsyncIterable<Workflow>;
  readonly dataTables: AsyncIterable<{ table: unknown; rows: AsyncIterable<unknown> }>;
}

/** A backup of a whole n8n. These exist only because somebody asked for them. */
export interface InstanceNote {
  readonly id: string;
  readonly instance: string;
  readonly taken: string;
  readonly bytes: number;
}

/** Keeps copies of workflows, so that every change can be undone. */
export interface Backups {
  /** Backs a workflow up before a change and returns the backup's id. If this throws, do not make the change. */
  keep(instance: string, workflow: Workflow, reason: BackupReason): Promise<string>;
  /** Like `keep`, and says whether it wrote a new backup. An unchanged workflow gets the id of its last one. */
  take(instance: string, workflow: Workflow, reason: BackupReason): Promise<{ id: string; isNew: boolean }>;
  /** Newest first. */
  ids(filter: BackupFilter): Promise<string[]>;
  note(id: string): Promise<BackupNote>;
  /** Reads a backup and verifies its checksum. `workflow` picks one workflow from a backup of a whole n8n. */
  read(id: string, workflow?: string): Promise<Backup>;
  /**
   * Deletes the backups beyond the limits, or with `dryRun` only lists them. `all` includes the first of each day, those
   * that somebody asked for and, if no workflow is named, those of a whole n8n.
   */
  prune(
    filter: BackupFilter,
    limits: Partial<Limits>,
    options: { readonly all: boolean; readonly dryRun: boolean },
  ): Promise<Pruned>;
  /** Backs up a whole n8n. */
  keepInstance(instance: string, content: InstanceContent): Promise<InstanceNote>;
  /** Backups of a whole n8n, newest first. */
  instances(instance?: string): Promise<InstanceNote[]>;
}
