import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';

/** The folder of backups of a whole n8n. No workflow id becomes this name, because `segmentOf` encodes `@`. */
export const WHOLE = '@instance';

const TABLE = '@table.';

/** The folder of backups of a data table. */
export const tableFolder = (table: string): string => `${TABLE}${segmentOf(table)}`;

/** What a backup is of. */
export type BackupKind = 'workflow' | 'instance' | 'table';

const LONGEST = 120;

/** Turns any name into one safe path segment. */
export function segmentOf(name: string): string {
  const safe = encodeURIComponent(name.toWellFormed())
    .replace(/^\.+/, (dots) => '%2E'.repeat(dots.length))
    .replaceAll('*', '%2A');
  if (safe.length <= LONGEST && safe !== '') return safe;
  return `${safe.slice(0, LONGEST - 20)}~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

/** For example `20261115T073012123Z-update-3f9a1c`: sorts by time and is unique. */
export function stemOf(taken: Date, reason: string): string {
  const time = taken.toISOString().replaceAll(/[-:.]/g, '');
  return `${time}-${reason}-${randomBytes(3).toString('hex')}`;
}

const STEM = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([a-z]+)-[0-9a-f]{6}$/;

export interface Stem {
  readonly taken: string;
  readonly reason: string;
}

/** Parses the name of a file. Undefined if it is not a backup of ours. */
export function readStem(stem: string): Stem | undefined {
  const match = STEM.exec(stem);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, ms, reason] = match;
  return { taken: `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`, reason: reason as string };
}

const SEGMENT = /^(?!\.)[\w%~!'().@-]+$/;

/** The parts of an id; undefined if it is none. Each is safe as a part of a path. */
export function partsOf(id: string): { instance: string; folder: string; stem: string } | undefined {
  const [instance = '', folder = '', stem = '', ...more] = id.split('/');
  if (more.length > 0 || !SEGMENT.test(instance) || !SEGMENT.test(folder) || !readStem(stem)) return undefined;
  return { instance, folder, stem };
}

/** Callers choose ids: check them before they become paths. */
export function assertId(id: string): void {
  if (!partsOf(id)) {
    throw new AppError('invalid_input', `${shown(id)} is not a backup id. n8n_list_backups shows the ids.`);
  }
}

export const unknownBackup = (id: string): AppError =>
  new AppError('not_found', `No backup ${shown(id)}. n8n_list_backups shows the ids.`);

/** `<instance>/<workflow>` of an id. */
export const folderOf = (id: string): string => id.slice(0, id.lastIndexOf('/'));

export const instanceIn = (id: string): string => id.slice(0, id.indexOf('/'));

export const stemIn = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

export function kindOf(id: string): BackupKind {
  const folder = id.split('/')[1] ?? '';
  if (folder === WHOLE) return 'instance';
  return folder.startsWith(TABLE) ? 'table' : 'workflow';
}

/** Ids by their folder, the newest of each first. */
export function byFolder(ids: readonly string[]): Map<string, string[]> {
  const folders = Map.groupBy(ids, folderOf);
  for (const some of folders.values()) some.sort().reverse();
  return folders;
}
