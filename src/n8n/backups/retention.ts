import { readStem } from './backup-id.ts';
import type { BackupWhy, Limits } from './backups.ts';

const DAY = 86_400_000;
/** So many days the state before a day's first change is kept, however many changes followed. */
const FIRST_DAYS = 7;

const takenAt = (stem: string): number => Date.parse(readStem(stem)?.taken ?? '');

/** The day as people here count it: a day in UTC may begin in the middle of their work. */
const dayOf = (time: number): string => new Date(time).toDateString();

export const isAsked = (stem: string): boolean => readStem(stem)?.reason === 'asked';

/** Whether this day already has a backup that was taken before a change. */
export const hasFirstOf = (stems: readonly string[], now: number): boolean =>
  stems.some((stem) => !isAsked(stem) && dayOf(takenAt(stem)) === dayOf(now));

/** Why each backup of one workflow exists, the newest first. */
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
 * Of the backups of one workflow, the newest first, those that go. The limits are for those that nobody asked for, and
 * with `all` for every one. The newest stays, however old it is.
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
