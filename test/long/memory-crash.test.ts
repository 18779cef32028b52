import { expect, test } from 'vitest';
import { memoryCrashes } from '../integration/memory/crash.ts';

test('killed a hundred times while two processes write, memory keeps what it acknowledged, and its file is sound', async () => {
  const run = await memoryCrashes({ kills: 100, writes: 60 });
  expect(run).toMatchObject({ kills: 100, errors: [], wrong: [] });
  expect(Math.min(run.stored, run.updated, run.batches)).toBeGreaterThan(100);
  console.log(JSON.stringify(run));
});
