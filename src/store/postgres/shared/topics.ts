import { messageOf } from '../../../kernel/errors.ts';
import type { Topic } from '../../../kernel/shared.ts';

const HINT_MS = 200;

/** How what is told here reaches the others. */
export interface Teller {
  /** Raises the version of a topic and sends a notice. */
  raise(topic: Topic): Promise<unknown>;
  /** Only sends a notice. */
  hint(): Promise<unknown>;
  /** Whether anybody else is there to hear a hint. */
  isAlone(): boolean;
  warn(message: string): void;
}

/** Who listens to which topic, and which versions are known. */
export function createTopics({ raise, hint, isAlone, warn }: Teller) {
  const listeners = new Map<string, Set<() => void>>();
  const versions = new Map<string, number>();
  const untold = new Set<Topic>();
  let hintTimer: NodeJS.Timeout | undefined;
  let hintAgain = false;
  let first = true;

  function call(topic: string): void {
    for (const listener of listeners.get(topic) ?? [])
      try {
        listener();
      } catch (error) {
        warn(`A listener to ${topic} failed: ${messageOf(error)}`);
      }
  }

  function sendHint(): void {
    hintAgain = false;
    hint().catch(() => {});
    hintTimer = setTimeout(() => {
      hintTimer = undefined;
      if (hintAgain) sendHint();
    }, HINT_MS).unref();
  }

  function raiseNow(topic: Topic): void {
    // Told again with the next look that succeeds.
    raise(topic).catch(() => untold.add(topic));
  }

  return {
    call,
    tell(topic: Topic): void {
      if (topic !== 'events') return raiseNow(topic);
      call(topic);
      if (isAlone()) return;
      if (hintTimer) hintAgain = true;
      else sendHint();
    },
    hear(topic: Topic, listener: () => void): Disposable {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return { [Symbol.dispose]: () => void all.delete(listener) };
    },
    /** Takes the versions that the store has now, and calls who listens to a topic that changed. */
    seen(now: Iterable<readonly [string, number]>): void {
      const changed: string[] = [];
      for (const [topic, version] of now) {
        if (versions.get(topic) === version) continue;
        versions.set(topic, version);
        if (!first) changed.push(topic);
      }
      first = false;
      for (const topic of changed) call(topic);
      const again = [...untold];
      untold.clear();
      for (const topic of again) raiseNow(topic);
    },
    [Symbol.dispose](): void {
      clearTimeout(hintTimer);
    },
  };
}
