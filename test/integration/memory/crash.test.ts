import { expect, test } from 'vitest';
import { memoryCrashes } from './crash.ts';

test('killed ten times while two processes write, memory keeps what it acknowledged, and its file is sound', async () => {
  const run = await memoryCrashes({ kills: 10, writes: 30 });
  expect(run).toMatchObject({ kills: 10, errors: [], wrong: [] });
  expect(Math.min(run.stored, run.updated, run.batches)).toBeGreaterThan(0);
});
