import { exit } from './frame.ts';

const SAME_PRESS_MS = 500;

/**
 * The first signal that asks us to end; a later one ends us at once. One Ctrl-C may arrive several times, from the
 * terminal, from npm and from the launcher that handed over to a newer Node, so what follows at once is the same one.
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
