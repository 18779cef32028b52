import { expect, test } from 'vitest';
import { sharedByReplicas } from '../../test/support/shared-by-replicas.ts';
import { newLocalShared } from '../../test/support/local-shared.ts';
import { alone } from './alone.ts';

test('returns the result, or throws what the work throws, after one run', async () => {
  let runs = 0;
  const fails = alone(newLocalShared(), 'work', async () => {
    runs++;
    throw new Error('no');
  });
  await expect(fails).rejects.toThrow('no');
  expect(await alone(newLocalShared(), 'work', async () => ++runs)).toBe(2);
});

test('two replicas take turns', async () => {
  const [a, b] = sharedByReplicas();
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => void setTimeout(resolve, 2));
    running--;
  };
  await Promise.all([a, b, a, b, a].map((shared) => alone(shared, 'work', work)));
  expect(most).toBe(1);
});

test('does not wait for ever, and does not run late', async () => {
  const [a, b] = sharedByReplicas();
  const end = Promise.withResolvers<void>();
  const first = alone(a, 'work', () => end.promise);
  let ran = false;
  const second = alone(
    b,
    'work',
    async () => {
      ran = true;
    },
    { waitMs: 10 },
  );
  await expect(second).rejects.toThrow('Another replica is busy with this (work)');
  end.resolve();
  await first;
  expect(ran).toBe(false);
});

test('stops waiting for another replica when it is told to', async () => {
  const [a, b] = sharedByReplicas();
  const end = Promise.withResolvers<void>();
  const first = alone(a, 'work', () => end.promise);
  const stopping = new AbortController();
  const second = alone(b, 'work', async () => {}, { signal: stopping.signal });
  stopping.abort(new Error('stopping'));
  await expect(second).rejects.toThrow('stopping');
  end.resolve();
  await first;
});
