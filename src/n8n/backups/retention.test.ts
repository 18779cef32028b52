import { describe, expect, it } from 'vitest';
import { stemOf } from './backup-id.ts';
import { hasFirstOf, superseded, whyEach } from './retention.ts';

const DAY = 86_400_000;
/** Local noon, so that an hour more or less is still the same day. */
const now = new Date(2026, 10, 15, 12).getTime();
const stem = (days: number, reason = 'update', minutes = 0) =>
  stemOf(new Date(now - days * DAY - minutes * 60_000), reason);
/** All on one day, newest first. */
const many = (count: number, days = 0) => Array.from({ length: count }, (_, index) => stem(days, 'update', index + 1));

describe('pruning the backups of a workflow', () => {
  it('deletes those beyond the number to keep', () => {
    const stems = [...many(3), stem(20), stem(30)];
    expect(superseded(stems, { keep: 2 }, now)).toEqual(stems.slice(3));
  });

  it('deletes those that are too old', () => {
    const stems = [0, 1, 5, 40].map((days) => stem(days, 'update', 1));
    expect(superseded(stems, { keep: 10, days: 5 }, now)).toEqual(stems.slice(2));
  });

  it('never deletes the newest', () => {
    expect(superseded([stem(40)], { keep: 1, days: 1 }, now)).toEqual([]);
  });

  it('never deletes one that was asked for, whatever the limits', () => {
    const asked = stem(400, 'asked');
    const stems = [...many(15), asked];
    // Besides the ten to keep, the first of the day stays.
    expect(superseded(stems, { keep: 10, days: 30 }, now)).toEqual(stems.slice(10, 14));
  });

  it('keeps the first of each day for a week', () => {
    const stems = [...many(12), ...many(3, 6), ...many(3, 8)];
    const left = stems.filter((one) => !superseded(stems, { keep: 2 }, now).includes(one));
    expect(left).toEqual([...stems.slice(0, 2), stems[11], stems[14]]);
  });

  it('deletes everything beyond the limits with `all`', () => {
    const stems = [...many(3), stem(1, 'asked')];
    expect(superseded(stems, { keep: 1 }, now, true)).toEqual(stems.slice(1));
    expect(superseded(stems, { keep: 9, days: 1 }, now + 60_000, true)).toEqual(stems.slice(3));
  });
});

describe('why a backup of a workflow exists', () => {
  it('follows from its name and its position among the others', () => {
    const stems = [stem(0, 'edit', 1), stem(0, 'edit', 2), stem(0, 'asked', 3), stem(1), stem(8)];
    expect(whyEach(stems, now)).toEqual([
      'automatic',
      'first of the day',
      'asked for',
      'first of the day',
      'automatic',
    ]);
  });

  it('knows whether this day has one before its first change', () => {
    expect(hasFirstOf([stem(0, 'asked', 1), stem(1)], now)).toBe(false);
    expect(hasFirstOf([stem(0, 'asked', 1), stem(0, 'edit', 2)], now)).toBe(true);
  });
});
