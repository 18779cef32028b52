import { describe, expect, it } from 'vitest';
import { stemOf } from './backup-id.ts';
import { superseded } from './retention.ts';

const now = Date.UTC(2026, 10, 15);
const stems = [0, 1, 5, 40].map((days) => stemOf(new Date(now - days * 86_400_000 - 1000), 'update'));

describe('what goes of the backups of a workflow', () => {
  it('is what is beyond the number', () => {
    expect(superseded(stems, { keep: 2 }, now)).toEqual(stems.slice(2));
  });

  it('is what is too old', () => {
    expect(superseded(stems, { keep: 10, days: 5 }, now)).toEqual(stems.slice(2));
  });

  it('is never the newest', () => {
    expect(superseded(stems.slice(3), { keep: 1, days: 1 }, now)).toEqual([]);
  });
});
