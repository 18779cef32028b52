/** What a stream may hold of messages that came before its answer; whoever reads that slowly gets no more of them. */
export const MOST_NOTICES = 8 * 1024 * 1024;
/** What one caller may leave unread on all streams together. */
const MOST_BYTES = 128 * 1024 * 1024;
/** Less is what a system keeps anyway: nothing is counted. */
const WORTH_COUNTING = 256 * 1024;
/** More has to move. */
const PATIENT_BYTES = 4 * 1024 * 1024;
const PATIENCE_MS = 30_000;

/** A response, a socket, a pipe: what can be asked how much of it waits to be read. */
interface Target {
  readonly writableLength: number;
  readonly destroyed: boolean;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  destroy(): unknown;
  /** Node tells by it that not a byte was taken for that long, though some wait. */
  setTimeout?(ms: number): unknown;
}

interface Watched {
  bytes: number;
  waiting: boolean;
  forget(): void;
}

/**
 * What a caller was sent and does not read. A single answer may be large, and a link slow: what is cut is a stream of
 * which nothing was taken for half a minute, and the largest ones of a caller who leaves too much unread in all.
 */
export function unreadBytes(onCut: () => void, patienceMs = PATIENCE_MS) {
  const watched = new Map<Target, Watched>();
  let total = 0;

  function cut(target: Target): void {
    watched.get(target)?.forget();
    if (target.destroyed) return;
    target.destroy();
    onCut();
  }

  function watch(target: Target): Watched {
    const onTimeout = () => {
      if (target.writableLength > PATIENT_BYTES) return cut(target);
      // Node tells it once.
      known.waiting = false;
    };
    const forget = () => {
      total -= known.bytes;
      known.bytes = 0;
      watched.delete(target);
      for (const event of ['drain', 'finish', 'close']) target.off(event, forget);
      target.off('timeout', onTimeout);
      if (known.waiting && !target.destroyed) target.setTimeout?.(0);
    };
    const known = { bytes: 0, waiting: false, forget };
    for (const event of ['drain', 'finish', 'close']) target.on(event, forget);
    target.on('timeout', onTimeout);
    watched.set(target, known);
    return known;
  }

  function count(target: Target, known: Watched): void {
    const { writableLength } = target;
    total += writableLength - known.bytes;
    known.bytes = writableLength;
  }

  /** What was counted at the last write may have been read since. */
  function relieve(): void {
    for (const [target, known] of watched) count(target, known);
    for (const [target] of [...watched].toSorted(([, one], [, other]) => other.bytes - one.bytes)) {
      if (total <= MOST_BYTES) return;
      cut(target);
    }
  }

  return {
    /** To be asked after a write. */
    wrote(target: Target): void {
      if (target.writableLength <= WORTH_COUNTING) return;
      const known = watched.get(target) ?? watch(target);
      count(target, known);
      if (known.bytes > PATIENT_BYTES && !known.waiting) {
        known.waiting = true;
        target.setTimeout?.(patienceMs);
      }
      if (total > MOST_BYTES) relieve();
    },
    /** To be asked before a write that is no answer: false where the stream was cut instead. */
    mayNotify(target: Target): boolean {
      if (target.writableLength <= MOST_NOTICES) return true;
      cut(target);
      return false;
    },
    bytes: () => total,
  };
}

export type Unread = ReturnType<typeof unreadBytes>;
