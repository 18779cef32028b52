import { describe, expect, test } from 'vitest';
import { untilHung } from './hung.ts';

const EVERY = 15_000;
/** Many more than it takes to find out. */
const ROUNDS = 40;

/** The round in which n8n counts as hung; undefined if it never does. */
async function watched(options: {
  answers(round: number): boolean | Promise<boolean>;
  passes?(round: number): number;
}): Promise<number | undefined> {
  const over = new AbortController();
  let clock = 0;
  let round = 0;
  const hung = untilHung({ everyMs: EVERY, misses: 4 }, over.signal, {
    ask: async () => options.answers(round),
    now: () => clock,
    async wait(ms, signal) {
      clock += options.passes?.(round) ?? ms;
      // Lets pending answers arrive before the wait ends.
      await new Promise(setImmediate);
      if (++round > ROUNDS) over.abort();
      signal.throwIfAborted();
    },
  });
  return hung.then(
    () => round,
    () => undefined,
  );
}

describe('an n8n that was ready', () => {
  test('hangs when it gives no answer several times in a row', async () => {
    expect(await watched({ answers: () => false })).toBe(4);
    expect(await watched({ answers: (round) => round < 10 })).toBe(14);
  });

  test('is only busy as long as it answers now and then, however late', async () => {
    expect(await watched({ answers: (round) => round % 4 === 0 })).toBeUndefined();
    const late = Promise.withResolvers<boolean>();
    const answers = (round: number) => {
      if (round === 3) late.resolve(true);
      return round === 0 ? late.promise : false;
    };
    expect(await watched({ answers })).toBe(8);
  });

  test('gets the full time again after the machine was asleep', async () => {
    const passes = (round: number) => (round === 3 ? 8 * 3_600_000 : EVERY);
    expect(await watched({ answers: () => false, passes })).toBe(8);
    // Every wait is late, so this process is the slow one.
    expect(await watched({ answers: () => false, passes: () => EVERY * 2 })).toBeUndefined();
  });
});
