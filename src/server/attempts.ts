import { isIPv6 } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** How many failures in a row are free before an address is slowed down. */
const FREE = 10;
/** One failure is forgiven after this time. */
const FORGIVEN_MS = 6000;
const SLOWEST_MS = 2000;
const WAITING_LIMIT = 20;
/** After this many failures, passwords from an address are not even checked. */
const EXHAUSTED = 100;
const ADDRESS_LIMIT = 10_000;

/**
 * Slows down wrong credentials, by address. Valid credentials are never slowed: many clients behind one address must
 * not suffer from a misconfigured one. Each replica counts for itself: that slows guessing down enough, and a wrong
 * credential costs no write to the store.
 */
export function createAttempts(now: () => number = Date.now, wait: (ms: number) => Promise<unknown> = setTimeout) {
  const addresses = new Map<string, { failures: number; at: number; waiting: number }>();
  const remaining = ({ failures, at }: { failures: number; at: number }, time: number) =>
    Math.max(0, failures - (time - at) / FORGIVEN_MS);

  return {
    /**
     * Call this before checking a password, which somebody could guess with many fast attempts. Returns for how many
     * seconds passwords from this address are rejected.
     */
    exhausted(given: string): { retryAfter: number } | undefined {
      const known = addresses.get(networkOf(given));
      const above = known ? remaining(known, now()) - (EXHAUSTED - 1) : 0;
      return above > 0 ? { retryAfter: Math.ceil((above * FORGIVEN_MS) / 1000) } : undefined;
    },
    /** Resolves when the attempt may be answered; with seconds to wait if too many are waiting already. */
    async failed(given: string): Promise<{ retryAfter: number } | undefined> {
      const address = networkOf(given);
      const time = now();
      const known = addresses.get(address) ?? { failures: 0, at: time, waiting: 0 };
      known.failures = remaining(known, time) + 1;
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

/** The /64 network of an IPv6 address: its owner has 2^64 addresses and could use another one each time. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail)];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after].slice(0, 4).join(':');
}
