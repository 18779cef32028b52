import { AppError } from '../kernel/errors.ts';
import { exit } from './frame.ts';

const SAME_PRESS_MS = 500;

/**
 * The first signal that asks this process to stop; a later one ends it at once. One Ctrl-C may arrive several times (from
 * the terminal, from npm, from the launcher), so signals within half a second count as the same one.
 */
export function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (first !== undefined && Date.now() - first > SAME_PRESS_MS) process.exit(exit.failed);
        first ??= Date.now();
        resolve(signal);
      });
    }
  });
}

/** Aborted by the first Ctrl-C. */
export function untilCancelled(message = 'Cancelled.'): AbortSignal {
  const stop = new AbortController();
  void untilSignal().then(() => stop.abort(new AppError('cancelled', message)));
  return stop.signal;
}
