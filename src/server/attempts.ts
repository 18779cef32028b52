import { setTimeout } from 'node:timers/promises';

/** How many may fail at once before an address is slowed. */
const FREE = 10;
/** One more is forgiven after this long. */
const FORGIVEN_MS = 6000;
const SLOWEST_MS = 2000;
const WAITING_LIMIT = 20;
const ADDRESS_LIMIT = 10_000;

/**
 * Slows down whoever presents wrong credentials, by address. Whoever presents a right one never meets it: a house full
 * of clients behind one address must not suffer from the one that is misconfigured.
 */
export function createAttempts(now: () => number = Date.now, wait: (ms: number) => Promise<unknown> = setTimeout) {
  const addresses = new Map<string, { failures: number; at: number; waiting: number }>();

  return {
    /** Returns when the attempt may be answered; with a number of seconds if too many are waiting already. */
    async failed(address: string): Promise<{ retryAfter: number } | undefined> {
      const time = now();
      const known = addresses.get(address) ?? { failures: 0, at: time, waiting: 0 };
      known.failures = Math.max(0, known.failures - (time - known.at) / FORGIVEN_MS) + 1;
      known.at = time;
      addresses.delete(address);
      addresses.set(address, known);
      if (addresses.size > ADDRESS_LIMIT) addresses.delete(addresses.keys().next().value as string);
      const above = known.failures - FREE;
      if (above <= 0) return undefined;
      if (known.waiting >= WAITING_LIMIT) return { retryAfter: Math.ceil((above * FORGIVEN_MS) / 1000) };
      known.waiting++;
      await wait(Math.min(SLOWEST_MS, 50 * 2 ** above));
      known.waiting--;
      return undefined;
    },
  };
}
