import { expect, test } from 'vitest';
import { crashes } from '../integration/events/crash.ts';

test('killed a hundred times while 10,000 events flow to a flaky receiver, the gateway loses no call it answered', async () => {
  const run = await crashes({ calls: 10_000, kills: 100 });
  expect(run).toMatchObject({ lost: [], disordered: [], kills: 100 });
  console.log(JSON.stringify(run));
});
