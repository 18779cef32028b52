/** The pauses of a loop. They end early when there is something to do, and do not keep the process alive. */
export interface Waiting {
  /** Waits until woken, at most this long; returns at once if woken since the last pause. */
  pause(ms: number): Promise<void>;
  /** Waits this long; `wake` does not end it. */
  sleep(ms: number): Promise<void>;
  wake(): void;
  /** Wakes after this time; without a time, cancels the alarm. */
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
