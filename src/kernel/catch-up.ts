import { messageOf } from './errors.ts';

export interface CatchUp extends AsyncDisposable {
  /** There is something to catch up with. */
  due(): void;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

/** Runs work soon after it is due: once for many reasons, never twice at a time, and again if it fails. */
export function createCatchUp(what: string, work: () => Promise<void>, restMs = 0): CatchUp {
  let isDue = false;
  let closed = false;
  let failures = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    isDue = false;
    try {
      await work();
      failures = 0;
    } catch (error) {
      if (closed) return;
      if (failures === 0) process.emitWarning(`Cannot ${what}, will retry: ${messageOf(error)}`);
      isDue = true;
      failures++;
    }
  }

  function start(): void {
    if (running || timer || closed) return;
    running = run().finally(() => {
      running = undefined;
      const wait = failures > 0 ? Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS) : restMs;
      // Even if nothing is due yet: two runs are this far apart.
      timer = setTimeout(() => {
        timer = undefined;
        if (isDue) start();
      }, wait).unref();
    });
  }

  return {
    due() {
      isDue = true;
      start();
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
