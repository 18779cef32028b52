/** Node fires timers with a longer delay at once. */
const LONGEST_MS = 2 ** 31 - 1;

export interface Expiring {
  /** Latest time at which it may still be open. */
  expires: number;
  end(): void;
}

/** Closes what is open when its token expires. One timer for all, and none if nothing expires. */
export function createExpiries(now: () => number = Date.now) {
  const open = new Set<Expiring>();
  let timer: NodeJS.Timeout | undefined;
  let next = Number.POSITIVE_INFINITY;

  function arm(at: number): void {
    if (at >= next) return;
    clearTimeout(timer);
    next = at;
    timer = setTimeout(look, Math.min(LONGEST_MS, Math.max(0, at - now())));
    timer.unref();
  }

  function look(): void {
    next = Number.POSITIVE_INFINITY;
    const time = now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const entry of open) {
      if (entry.expires > time) {
        soonest = Math.min(soonest, entry.expires);
        continue;
      }
      open.delete(entry);
      entry.end();
    }
    arm(soonest);
  }

  return {
    /**
     * Ends the entry in time, unless it is removed first. If its expiry is moved later, that is noticed when it would
     * end.
     */
    add(entry: Expiring): void {
      open.add(entry);
      arm(entry.expires);
    },
    remove: (entry: Expiring) => void open.delete(entry),
    size: () => open.size,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

export type Expiries = ReturnType<typeof createExpiries>;
