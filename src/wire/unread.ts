/** How many unread bytes of messages before the answer a stream may hold. Beyond that the stream is cut. */
export const MOST_NOTICES = 8 * 1024 * 1024;
/** How much one caller may leave unread on all streams together. */
const MOST_BYTES = 128 * 1024 * 1024;
/** Smaller amounts are not counted: the system buffers that much anyway. */
const WORTH_COUNTING = 256 * 1024;
/** Larger amounts must keep moving. */
const PATIENT_BYTES = 4 * 1024 * 1024;
const PATIENCE_MS = 30_000;

/** A response, socket or pipe that knows how many bytes wait to be read. */
interface Target {
  readonly writableLength: number;
  readonly destroyed: boolean;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  destroy(): unknown;
  /** Node then emits 'timeout' if not a byte was taken for this long while some wait. */
  setTimeout?(ms: number): unknown;
}

interface Watched {
  bytes: number;
  waiting: boolean;
  /** Called when all of it was read, or the stream was cut. */
  readonly onRead: (() => void)[];
  forget(): void;
}

/**
 * Tracks what a caller was sent but does not read. A single answer may be large and a connection slow, so only these
 * are cut: streams of which nothing was taken for half a minute, and the largest streams of a caller that leaves too
 * much unread.
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
      // Node emits it only once.
      known.waiting = false;
    };
    const forget = () => {
      total -= known.bytes;
      known.bytes = 0;
      watched.delete(target);
      for (const event of ['drain', 'finish', 'close']) target.off(event, forget);
      target.off('timeout', onTimeout);
      if (known.waiting && !target.destroyed) target.setTimeout?.(0);
      for (const onRead of known.onRead) onRead();
    };
    const known: Watched = { bytes: 0, waiting: false, onRead: [], forget };
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

  /** Counts again first: some bytes may have been read since the last write. */
  function relieve(): void {
    for (const [target, known] of watched) count(target, known);
    for (const [target] of [...watched].toSorted(([, one], [, other]) => other.bytes - one.bytes)) {
      if (total <= MOST_BYTES) return;
      cut(target);
    }
  }

  return {
    /** Call after a write. Calls `onRead` when about all of it was read, or the stream was cut. */
    wrote(target: Target, onRead?: () => void): void {
      if (target.writableLength <= WORTH_COUNTING) return onRead?.();
      const known = watched.get(target) ?? watch(target);
      if (onRead) known.onRead.push(onRead);
      count(target, known);
      if (known.bytes > PATIENT_BYTES && !known.waiting) {
        known.waiting = true;
        target.setTimeout?.(patienceMs);
      }
      if (total > MOST_BYTES) relieve();
    },
    /** Call before a write that is not an answer. False if the stream was cut instead. */
    mayNotify(target: Target): boolean {
      if (target.writableLength <= MOST_NOTICES) return true;
      cut(target);
      return false;
    },
    bytes: () => total,
  };
}

export type Unread = ReturnType<typeof unreadBytes>;
