import { messageOf } from '../../kernel/errors.ts';
import type { References } from './references.ts';

export interface Refreshing extends Disposable {
  /** What the newest file stands for, whether or not it was accepted. Starts the time anew. */
  follow(references: References | undefined): void;
}

/**
 * Reads the references of the file again and again, and calls `changed` when one stands for something else. `kept` gets
 * why values cannot be read, once each time that this changes.
 */
export function refreshing(
  told: { changed(): void; kept(problems: readonly string[]): void },
  everyMs?: number,
): Refreshing {
  let latest: References | undefined;
  let timer: NodeJS.Timeout | undefined;
  let problems = '';
  let stopped = false;

  function report({ kept }: Pick<References, 'kept'>): void {
    if (kept.join('\n') === problems) return;
    problems = kept.join('\n');
    told.kept(kept);
  }

  async function look(before: References): Promise<void> {
    const now = await before.again().catch((error: unknown) => ({ kept: [messageOf(error)] }));
    // The file has changed meanwhile.
    if (stopped || latest !== before) return;
    report(now);
    if (!('again' in now)) return wait(before);
    latest = now;
    wait(now);
    if (now.differs(before)) told.changed();
  }

  function wait(references: References): void {
    clearTimeout(timer);
    if (references.refreshMs === undefined) return;
    timer = setTimeout(() => void look(references), everyMs ?? references.refreshMs).unref();
  }

  return {
    follow(references) {
      if (stopped) return;
      latest = references;
      clearTimeout(timer);
      report(references ?? { kept: [] });
      if (references) wait(references);
    },
    [Symbol.dispose]() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
