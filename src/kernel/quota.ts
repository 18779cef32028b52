import { AppError } from './errors.ts';
import { holdsScope, type Principal } from './principal.ts';

interface QuotaOptions {
  /** What it counts, such as `memories`. */
  readonly what: string;
  /** The key of the file that sets it. */
  readonly setting: string;
  /** How a caller makes room: `Erase some with memory_forget`. */
  readonly remedy: string;
  /** Of each caller, in MB. */
  limit(): number;
  /** What is stored of a principal, in bytes. */
  stored(principal: string): Promise<number>;
}

export interface Quota {
  /** Does work that stores about this many bytes, if the caller has room for them. */
  within<T>(principal: Principal, bytes: number, work: () => Promise<T>): Promise<T>;
}

const MB = 1024 * 1024;
/** Counting takes longer the more is there, so below half of the limit a count serves for a while. */
const COUNTED_MS = 10_000;
const MOST_ACCOUNTS = 1000;

interface Account {
  stored: number;
  countedAt: number;
  /** What is being stored now. */
  pending: number;
}

/** How much each caller may keep in the store, so that nobody takes the room of others. Administrators have no limit. */
export function createQuota({ what, setting, remedy, limit, stored }: QuotaOptions): Quota {
  const accounts = new Map<string, Account>();

  function accountOf(principal: string): Account {
    const known = accounts.get(principal);
    if (known) return known;
    for (const [other, { pending }] of accounts)
      if (accounts.size >= MOST_ACCOUNTS && pending === 0) accounts.delete(other);
    const account = { stored: 0, countedAt: -Infinity, pending: 0 };
    accounts.set(principal, account);
    return account;
  }

  /** `pending`: with everything that came before. */
  async function check(account: Account, id: string, pending: number): Promise<void> {
    const most = limit() * MB;
    const isFresh = performance.now() - account.countedAt < COUNTED_MS;
    if (isFresh && account.stored + pending < most / 2) return;
    account.stored = await stored(id);
    account.countedAt = performance.now();
    if (account.stored + pending <= most) return;
    throw new AppError(
      'conflict',
      `You have ${(account.stored / MB).toFixed(1)} MB of ${what}, and this would exceed the limit of ${limit()} MB for each caller. Nothing was stored. ${remedy}, or have the owner raise ${setting}.`,
    );
  }

  return {
    async within(principal, bytes, work) {
      if (holdsScope(principal, 'admin')) return work();
      const account = accountOf(principal.id);
      const pending = (account.pending += bytes);
      try {
        await check(account, principal.id, pending);
        const result = await work();
        account.stored += bytes;
        return result;
      } finally {
        account.pending -= bytes;
      }
    },
  };
}
