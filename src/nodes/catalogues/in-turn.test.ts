import { expect, test } from 'vitest';
import { sharedByReplicas } from '../../../test/support/shared-by-replicas.ts';
import { syncInTurn } from './in-turn.ts';

test('two replicas build one after the other, and one that stops while it waits does not build', async () => {
  const [a, b] = sharedByReplicas();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const steps: string[] = [];
  const build = (name: string) => () => {
    begun.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    return { ended: promise, stop: resolve };
  };
  const first = syncInTurn(a, () => {}, build('first'));
  const second = syncInTurn(b, (step) => void steps.push(step), build('second'));
  const third = syncInTurn(b, () => {}, build('third'));
  expect(begun).toEqual(['first']);
  expect(steps).toEqual(['waiting for another replica']);
  third.stop();
  ends.get('first')?.();
  await first.ended;
  await expect.poll(() => begun).toEqual(['first', 'second']);
  second.stop();
  await Promise.all([second.ended, third.ended]);
  expect(begun).toEqual(['first', 'second']);
});
