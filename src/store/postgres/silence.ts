import { setImmediate, setTimeout } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';
import { isLost } from './errors.ts';

/** How long a statement waits until we ask whether the server is there. */
const PATIENCE_MS = 500;
/** How long that may take. A busy machine answers late, and giving up for nothing costs more than a second. */
const ANSWER_MS = 2000;

/** Tells a server that answers nobody from one that is slow with a statement: it is asked something else meanwhile. */
export function createSilence(isWaiting: () => boolean, giveUp: () => void) {
  let ask: (() => Promise<unknown>) | undefined;
  let watching = false;
  let answers = 0;
  /** How many answers there were when nobody got one any more. */
  let silentAt: number | undefined;

  async function isThere(ask: () => Promise<unknown>): Promise<boolean> {
    const before = answers;
    const hasLost = (thrown: unknown) => thrown instanceof AppError && isLost(thrown.cause);
    const answer = ask().then(
      () => void answers++,
      (thrown: unknown) => void (hasLost(thrown) || answers++),
    );
    await Promise.race([answer, setTimeout(ANSWER_MS, undefined, { ref: false })]);
    // What arrived while this process was busy or suspended is read first.
    await setImmediate();
    return answers > before;
  }

  return {
    /** How to ask. Without it, everything waits. */
    askWith(given: () => Promise<unknown>): void {
      ask = given;
    },
    answered(): void {
      answers++;
    },
    /** Begins with the first statement, and ends by itself when none waits. */
    async watch(): Promise<void> {
      if (watching || !ask) return;
      watching = true;
      while (isWaiting()) {
        // Nobody waits long for a server that was silent a moment ago.
        if (answers !== silentAt) await setTimeout(PATIENCE_MS, undefined, { ref: false });
        if (!isWaiting() || (await isThere(ask))) continue;
        silentAt = answers;
        giveUp();
      }
      watching = false;
    },
  };
}
