import { expect, test } from 'vitest';
import { killRuns } from '../support/killed-runs.ts';

const KILLS = 200;

test.each(['sqlite', 'postgres'] as const)(
  'runs survive 200 kills on %s',
  async (store) => {
    const { kills, wrong, repeated, decided, ms } = await killRuns(store, KILLS);
    const sorted = ms.toSorted((a, b) => a - b);
    console.log({
      store,
      kills,
      repeated,
      decided,
      median: sorted[Math.floor(sorted.length / 2)],
      most: sorted.at(-1),
    });
    expect(wrong).toEqual([]);
    expect(kills).toBe(KILLS);
  },
  3_600_000,
);
