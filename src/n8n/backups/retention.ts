import { readStem, stemIn } from './backup-id.ts';
import type { BackupWhy, Limits } from './backups.ts';

const DAY = 86_400_000;
/** For this many days, keep the state before each day's first change. */
const FIRST_DAYS = 7;

export const takenAt = (stem: string): number => Date.parse(readStem(stem)?.taken ?? '');

/** The local day. A UTC day may begin in the middle of the working day. */
const dayOf = (time: number): string => new Date(time).toDateString();

export const isAsked = (stem: string): boolean => readStem(stem)?.reason === 'asked';

/** Whether this day already has a backup that was taken before a change. */
export const hasFirstOf = (stems: readonly string[], now: number): boolean =>
  stems.some((stem) => !isAsked(stem) && dayOf(takenAt(stem)) === dayOf(now));

/** Why each backup of one workflow exists. */
export function whyEach(newestFirst: readonly string[], now: number): BackupWhy[] {
  const oldest = new Map<string, string>();
  for (const stem of newestFirst) if (!isAsked(stem)) oldest.set(dayOf(takenAt(stem)), stem);
  return newestFirst.map((stem) => {
    if (isAsked(stem)) return 'asked for';
    const taken = takenAt(stem);
    const isFirst = oldest.get(dayOf(taken)) === stem && now - taken <= FIRST_DAYS * DAY;
    return isFirst ? 'first of the day' : 'automatic';
  });
}

/**
 * The backups of one workflow to delete. The limits apply to those that nobody asked for, with `all` to every one. The
 * newest always stays.
 */
export function superseded(newestFirst: readonly string[], { keep, days }: Limits, now: number, all = false): string[] {
  const why = whyEach(newestFirst, now);
  let counted = 0;
  return newestFirst.filter((stem, index) => {
    const isOld = days !== undefined && now - takenAt(stem) > days * DAY;
    if (!all && why[index] === 'asked for') return false;
    if (!all && why[index] === 'first of the day') return isOld && index > 0;
    counted++;
    return index > 0 && (counted > keep || isOld);
  });
}

/** Like `superseded`, for the ids of one folder. */
export function supersededIds(newestFirst: readonly string[], limits: Limits, now: number, all = false): string[] {
  const old = new Set(superseded(newestFirst.map(stemIn), limits, now, all));
  return newestFirst.filter((id) => old.has(stemIn(id)));
}
