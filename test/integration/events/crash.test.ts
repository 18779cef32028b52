import { expect, test } from 'vitest';
import { crashes } from './crash.ts';

test('killed ten times while events flow to a flaky receiver, the gateway loses none of the calls it answered', async () => {
  const run = await crashes({ calls: 1_500, kills: 10 });
  expect(run).toMatchObject({ lost: [], disordered: [], kills: 10 });
  expect(run.answered).toBeGreaterThanOrEqual(1_500);
  // Each answered call has two events, and some are delivered more than once.
  expect(run.received).toBeGreaterThan(3_000);
}, 60_000);
