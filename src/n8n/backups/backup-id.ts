import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';

/** Where backups of an n8n as a whole are kept: no workflow can be called so, for `@` is written differently in a path. */
export const WHOLE = '@instance';

const LONGEST = 120;

/** A name as one part of a path, whatever it is: nothing in it leads elsewhere. */
export function segmentOf(name: string): string {
  const safe = encodeURIComponent(name.toWellFormed())
    .replace(/^\.+/, (dots) => '%2E'.repeat(dots.length))
    .replaceAll('*', '%2A');
  if (safe.length <= LONGEST && safe !== '') return safe;
  return `${safe.slice(0, LONGEST - 20)}~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

/** Such as `20261115T073012123Z-update-3f9a1c`: sorts by time, and no two are the same. */
export function stemOf(taken: Date, reason: string): string {
  const time = taken.toISOString().replaceAll(/[-:.]/g, '');
  return `${time}-${reason}-${randomBytes(3).toString('hex')}`;
}

const STEM = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([a-z]+)-[0-9a-f]{6}$/;

export interface Stem {
  readonly taken: string;
  readonly reason: string;
}

/** What a file's name says; undefined where it is no backup of ours. */
export function readStem(stem: string): Stem | undefined {
  const match = STEM.exec(stem);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, ms, reason] = match;
  return { taken: `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`, reason: reason as string };
}

const SEGMENT = /^(?!\.)[\w%~!'().@-]+$/;

/** The file of a backup. An id comes from outside: it is taken apart and checked, never used as a path. */
export function pathOf(directory: string, id: string): string {
  const [instance = '', workflow = '', stem = '', ...more] = id.split('/');
  if (more.length > 0 || !SEGMENT.test(instance) || !SEGMENT.test(workflow) || !readStem(stem)) {
    throw new AppError('invalid_input', `${shown(id)} is not the id of a backup. n8n_list_backups shows them.`);
  }
  return join(directory, instance, workflow, `${stem}.json`);
}
