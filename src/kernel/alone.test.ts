import { expect, it } from 'vitest';
import { localShared } from '../store/local-shared.ts';
import { alone } from './alone.ts';
import type { Shared } from './shared.ts';

it('returns what the work returns, or throws what it throws, and gives the turn back', async () => {
  await using shared = localShared();
  expect(await alone(shared, 'count', async () => 42)).toBe(42);
  await expect(alone(shared, 'count', () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
  expect(await alone(shared, 'count', async () => 43)).toBe(43);
});

it('waits for its turn, but not for ever', async () => {
  let isEnded = false;
  const busy: Pick<Shared, 'lead'> = {
    lead: () => ({
      async [Symbol.asyncDispose]() {
        isEnded = true;
      },
    }),
  };
  let ran = false;
  const work = async () => void (ran = true);
  await expect(alone(busy, 'renewal', work, 10)).rejects.toThrow('Another replica did not finish in time: renewal.');
  expect({ isEnded, ran }).toEqual({ isEnded: true, ran: false });
});
