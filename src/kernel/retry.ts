const LONGEST_WAIT_MS = 3_600_000;

/** Parses Retry-After: seconds or a date. */
export function retryAfterMs(given: string, now: number = Date.now()): number | undefined {
  const ms = /^\s*\d+\s*$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}

/** The wait after this many failures in a row: doubles each time, with jitter. */
export function backoff(
  failures: number,
  { first, most }: { first: number; most: number },
  random: () => number = Math.random,
): number {
  const full = Math.min(first * 2 ** Math.min(failures - 1, 30), most);
  return Math.round(full * (0.5 + random() / 2));
}
