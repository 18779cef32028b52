import { readStem } from './backup-id.ts';
import type { Limits } from './backups.ts';

const DAY = 86_400_000;

/** Of the backups of one workflow, the newest first, those that go. The newest stays, however old it is. */
export function superseded(newestFirst: readonly string[], { keep, days }: Limits, now: number): string[] {
  return newestFirst.filter((stem, index) => {
    if (index === 0) return false;
    if (index >= keep) return true;
    const taken = Date.parse(readStem(stem)?.taken ?? '');
    return days !== undefined && now - taken > days * DAY;
  });
}
