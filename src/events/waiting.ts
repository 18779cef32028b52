/** A loop's pauses, which end early when there is something to do. They keep no process alive. */
export interface Waiting {
  /** Until woken, or for so long; not at all when woken since the last pause. */
  pause(ms: number): Promise<void>;
  /** For so long, whatever happens. */
  sleep(ms: number): Promise<void>;
  wake(): void;
  /** Wakes after so long; without a time, no longer. */
  alarm(ms?: number): void;
}

export function createWaiting(): Waiting {
  let woken = false;
  let resume: (() => void) | undefined;
  let alarm: NodeJS.Timeout | undefined;

  function wake(): void {
    woken = true;
    resume?.();
  }

  return {
    async pause(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms).unref();
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        resume = undefined;
      }
      woken = false;
    },
    sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms).unref()),
    wake,
    alarm(ms) {
      clearTimeout(alarm);
      alarm = ms === undefined ? undefined : setTimeout(wake, ms).unref();
    },
  };
}
