import { setImmediate as arrived } from 'node:timers/promises';

/** Somebody waits for urgent work; the rest is done for later. */
export type Haste = 'urgent' | 'patient';

/** Does one piece of work at a time, urgent ones first: a question does not wait for a long import. */
export function createTurns(): <T>(haste: Haste, work: () => Promise<T>) => Promise<T> {
  const waiting: Record<Haste, (() => Promise<void>)[]> = { urgent: [], patient: [] };
  let running = false;

  async function run(): Promise<void> {
    running = true;
    for (;;) {
      // A model computes without a pause. This lets requests in that came meanwhile.
      await arrived();
      const next = waiting.urgent.shift() ?? waiting.patient.shift();
      if (!next) break;
      await next();
    }
    running = false;
  }

  return <T>(haste: Haste, work: () => Promise<T>) =>
    new Promise<T>((resolve) => {
      waiting[haste].push(async () => {
        const done = work();
        resolve(done);
        await done.catch(() => {});
      });
      if (!running) void run();
    });
}
