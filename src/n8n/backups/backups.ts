import type { Progress } from '../../kernel/progress.ts';
import type { DataTable, Row } from '../client/data-tables.ts';
import type { Workflow } from '../client/shapes.ts';
import type { BackupKind } from './backup-id.ts';
import type { Where } from './place.ts';

/** The change that a backup was taken before. `asked`: somebody asked for the backup itself. */
export const backupReasons = ['asked', 'update', 'edit', 'delete', 'restore', 'archive', 'promotion'] as const;

export type BackupReason = (typeof backupReasons)[number];

export const backupWhy = ['asked for', 'first of the day', 'automatic'] as const;

/** Why a backup exists. Newer ones replace only automatic ones. */
export type BackupWhy = (typeof backupWhy)[number];

/** A backup in a list. */
export interface Found {
  /** The tools that restore, compare or delete it take this id. */
  readonly id: string;
  readonly why: BackupWhy;
  /** Every place that has it. */
  readonly where: readonly Where[];
}

/** What the first line of a backup says. */
export interface BackupHead {
  readonly instance: string;
  /** Id of the workflow. */
  readonly workflow: string;
  readonly name: string;
  readonly taken: string;
  readonly reason: BackupReason;
  /** Whether it was published. */
  readonly active: boolean;
  readonly nodes: number;
}

export interface BackupNote extends Found, BackupHead {
  readonly bytes: number;
}

export interface Backup extends BackupHead {
  readonly id: string;
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

export interface Listing {
  /** Newest first. */
  readonly found: readonly Found[];
  /** Why a place could not be asked, so that its backups are missing here. */
  readonly unasked?: string | undefined;
}

export interface PruneOptions {
  readonly all: boolean;
  readonly dryRun: boolean;
  /** The n8n of this Sluice. Another one may keep its backups in the same bucket: they go only if the filter names its n8n. */
  readonly instances?: readonly string[] | undefined;
}

export interface Pruned {
  /** Those that were deleted in at least one place. */
  readonly ids: readonly string[];
  readonly bytes: number;
  /** Those that are left in at least one place. */
  readonly kept: number;
  /** Why nothing was deleted in a place. */
  readonly unasked?: string | undefined;
  /** The n8n, as ids begin, that were left alone, because they may belong to another Sluice. */
  readonly others?: readonly string[] | undefined;
}

export interface Copied {
  readonly copied: number;
  /** Those that could not be copied, because they are damaged. */
  readonly damaged: readonly string[];
}

/** For work that takes long. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly progress?: Progress | undefined;
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

/** What was about to be deleted when a data table was backed up: the table, some of its columns, or some of its rows. */
export type TableReason = 'table' | 'columns' | 'rows';

/** A backup of one data table. */
export interface TableNote {
  readonly id: string;
  readonly instance: string;
  /** Id of the table. */
  readonly table: string;
  readonly name: string;
  readonly taken: string;
  /** `rows`: the backup has only the rows that were deleted. */
  readonly deleted: TableReason;
  readonly bytes: number;
}

/** A data table in a backup of its own, or in that of a whole n8n. */
export interface TableBackup {
  readonly instance: string;
  readonly taken: string;
  /** Only the rows that were deleted. */
  readonly isPart: boolean;
  readonly table: DataTable;
  /** How many rows it has. */
  readonly count: number;
  /** All of them, read from the backup one after the other: they may not fit into memory. As often as wanted. */
  rows(): AsyncIterable<Row>;
}

/** Keeps copies of data tables before something in them is deleted. */
export interface TableBackups {
  /** Backs a table up. If this throws, do not delete anything. */
  keepTable(instance: string, table: DataTable, rows: AsyncIterable<Row>, deleted: TableReason): Promise<TableNote>;
  tableNote(found: Found): Promise<TableNote>;
  /** Reads a backup and verifies its checksum. `table`, an id or a name, picks one from a backup of a whole n8n. */
  readTable(id: string, table?: string): Promise<TableBackup>;
}

/** What a backup of a whole n8n has in it. Never what is inside a workflow, nor rows. */
export interface WholeContents {
  readonly id: string;
  readonly instance: string;
  readonly taken: string;
  readonly workflows: readonly {
    readonly id: string;
    readonly name: string;
    readonly active: boolean;
    readonly archived: boolean;
    readonly nodes: number;
  }[];
  readonly tags: readonly string[];
  readonly credentials: readonly { readonly name: string; readonly type: string }[];
  readonly dataTables: readonly { readonly id: string; readonly name: string; readonly rows: number }[];
}

/** Keeps copies of workflows, so that every change can be undone. */
export interface Backups extends TableBackups {
  /** Backs a workflow up before a change and returns the backup's id. If this throws, do not make the change. */
  keep(instance: string, workflow: Workflow, reason: BackupReason): Promise<string>;
  /** Like `keep`, and says whether it wrote a new backup. An unchanged workflow gets the id of its last one. */
  take(instance: string, workflow: Workflow, reason: BackupReason): Promise<{ id: string; isNew: boolean }>;
  /** Backups of workflows, or of something else. */
  list(filter: BackupFilter, of?: BackupKind): Promise<Listing>;
  note(found: Found): Promise<BackupNote>;
  wholeNote(found: Found): Promise<InstanceNote>;
  /** Reads a backup and verifies its checksum. `workflow` picks one workflow from a backup of a whole n8n. */
  read(id: string, workflow?: string): Promise<Backup>;
  /** What a backup of a whole n8n has in it. */
  contents(id: string): Promise<WholeContents>;
  /**
   * Deletes the backups beyond the limits, or with `dryRun` only lists them. `all` includes the first of each day, those
   * that somebody asked for and, if no workflow is named, those of a whole n8n.
   */
  prune(filter: BackupFilter, limits: Partial<Limits>, options: PruneOptions): Promise<Pruned>;
  /** Backs up a whole n8n. */
  keepInstance(instance: string, content: InstanceContent): Promise<InstanceNote>;
  /** Waits until the second place has these, too, if there is one. Returns why it does not. */
  copied(ids: readonly string[], waiting: Waiting): Promise<string | undefined>;
  /** Copies everything that the second place lacks. Throws if there is none, or if it cannot be reached. */
  copyAll(waiting: Waiting): Promise<Copied>;
}
