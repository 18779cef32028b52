import { expect, test } from 'vitest';
import { killRuns } from '../support/killed-runs.ts';

const KILLS = 20;

test('runs survive kills at every point: nothing is done twice without its key, and nothing is lost', async () => {
  const { kills, wrong } = await killRuns('sqlite', KILLS);
  expect(wrong).toEqual([]);
  expect(kills).toBe(KILLS);
}, 240_000);
