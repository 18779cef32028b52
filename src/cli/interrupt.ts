import { AppError } from '../kernel/errors.ts';
import { exit } from './frame.ts';

const SAME_PRESS_MS = 500;

/**
 * The first signal that asks this process to stop; a later one ends it at once. One Ctrl-C may arrive several times (from
 * the terminal, from npm, from the launcher), so signals within half a second count as the same one.
 */
export function untilSignal(): Promise<string> {
  return untilSignals().first;
}

/** The same for a process that waits before it stops: the second signal ends the wait, and a third one the process. */
export function untilSignals(): { readonly first: Promise<string>; impatient(): Promise<void> } {
  const first = Promise.withResolvers<string>();
  let since: number | undefined;
  let hurry: (() => void) | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const now = Date.now();
      if (since !== undefined && now - since <= SAME_PRESS_MS) return;
      if (since !== undefined && !hurry) process.exit(exit.failed);
      since = now;
      hurry?.();
      hurry = undefined;
      first.resolve(signal);
    });
  }
  return {
    first: first.promise,
    impatient: () =>
      new Promise((resolve) => {
        hurry = resolve;
      }),
  };
}

/** Aborted by the first Ctrl-C. */
export function untilCancelled(message = 'Cancelled.'): AbortSignal {
  const stop = new AbortController();
  void untilSignal().then(() => stop.abort(new AppError('cancelled', message)));
  return stop.signal;
}
