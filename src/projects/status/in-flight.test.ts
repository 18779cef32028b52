import { expect, test } from 'vitest';
import { createInFlight } from './in-flight.ts';

test('a principal has four at a time, whether they succeed or fail, and others have theirs', async () => {
  const inFlight = createInFlight();
  const ends: (() => void)[] = [];
  const start = (principal: string) =>
    inFlight(principal, async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      throw new Error('it failed');
    }).catch((error: unknown) => String(error));
  const four = Array.from({ length: 4 }, () => start('__proto__'));
  await expect(inFlight('__proto__', async () => 1)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await inFlight('ben', async () => 2)).toBe(2);
  ends[0]?.();
  expect(await four[0]).toBe('Error: it failed');
  expect(await inFlight('__proto__', async () => 3)).toBe(3);
  for (const end of ends) end();
  await Promise.all(four);
});
