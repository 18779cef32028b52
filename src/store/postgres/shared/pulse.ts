const EVERY_MS = 1000;
/** Looks that somebody asked for are at least this far apart. */
const APART_MS = 20;
const LONGEST_PAUSE_MS = 2000;

/** Looks every second, and at once when it is woken; never twice at the same time. After failures it looks less often. */
export function createPulse(look: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let failures = 0;
  let lastError: unknown;
  let lastSuccess = performance.now();
  let ended = Number.NEGATIVE_INFINITY;
  let on = false;

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (on) timer = setTimeout(run, ms).unref();
  }

  function run(): void {
    running ??= once();
  }

  async function once(): Promise<void> {
    again = false;
    const started = performance.now();
    try {
      await look();
      lastSuccess = started;
      failures = 0;
    } catch (error) {
      lastError = error;
      failures += 1;
    }
    running = undefined;
    ended = performance.now();
    const pause = Math.min(EVERY_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS);
    if (again && failures === 0) schedule(APART_MS);
    // Not all replicas at the same moment.
    else schedule(failures > 0 ? pause * (0.75 + Math.random() / 2) : pause);
  }

  return {
    start(): void {
      on = true;
      schedule(EVERY_MS);
    },
    wake(): void {
      if (!on) return;
      if (running) again = true;
      else schedule(Math.max(0, ended + APART_MS - performance.now()));
    },
    /** Since when it fails, on the monotonic clock. */
    failing: (): { since: number; error: unknown } | undefined =>
      failures > 0 ? { since: lastSuccess, error: lastError } : undefined,
    async [Symbol.asyncDispose]() {
      on = false;
      clearTimeout(timer);
      await running;
    },
  };
}
