import { getHeapStatistics } from 'node:v8';

/** Smaller messages are not counted. */
const WORTH_COUNTING = 256 * 1024;
/** How long a message counts: a server that stops in the middle of one, or a client that is slow, delays nobody longer. */
const PATIENCE_MS = 10_000;

/** A stream from a server. */
export interface Source {
  pause(): unknown;
  resume(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** A message of which a part has arrived. */
interface Arriving {
  counted: number;
  /** What was counted before it lost its turn. */
  forgotten: number;
  isWaiting: boolean;
  turn: NodeJS.Timeout;
}

/**
 * The room for large messages of servers, from their first byte until the client has their answer. When it is used up,
 * streams are not read until there is room again. The message that began first may always be finished, unless an answer
 * is still on its way out.
 */
export function createRoom(most: number, patienceMs = PATIENCE_MS) {
  /** Those that began first come first. */
  const arriving = new Map<Source, Arriving>();
  const closing = new WeakSet<Source>();
  let taken = 0;
  let held = 0;
  let waiting = 0;

  const isFirst = (source: Source) => arriving.keys().next().value === source;
  const mayGoOn = (source: Source) => taken <= most || (held === 0 && isFirst(source));

  function letGoOn(): void {
    if (waiting === 0) return;
    for (const [source, message] of arriving) {
      if (!message.isWaiting) continue;
      if (!mayGoOn(source)) return;
      message.isWaiting = false;
      waiting--;
      message.turn.refresh();
      source.resume();
    }
  }

  /** Others go on. What still arrives of this message counts, and waits for its turn again. */
  function loseTurn(source: Source, message: Arriving): void {
    if (message.isWaiting) return;
    taken -= message.counted;
    message.forgotten += message.counted;
    message.counted = 0;
    arriving.delete(source);
    arriving.set(source, message);
    message.turn.refresh();
    letGoOn();
  }

  function begin(source: Source): Arriving {
    const turn = setTimeout(() => loseTurn(source, message), patienceMs).unref();
    const message: Arriving = { counted: 0, forgotten: 0, isWaiting: false, turn };
    arriving.set(source, message);
    if (!closing.has(source)) source.once('close', () => finish(source));
    closing.add(source);
    return message;
  }

  function finish(source: Source): void {
    const message = arriving.get(source);
    if (!message) return;
    arriving.delete(source);
    clearTimeout(message.turn);
    taken -= message.counted;
    if (message.isWaiting) {
      waiting--;
      source.resume();
    }
    letGoOn();
  }

  return {
    /** Call when `bytes` are kept of a message that is arriving, and with 0 when it was passed on or dropped. */
    keeps(source: Source, bytes: number): void {
      if (bytes === 0) return finish(source);
      if (bytes < WORTH_COUNTING) return;
      const message = arriving.get(source) ?? begin(source);
      const more = bytes - message.forgotten - message.counted;
      message.counted += more;
      taken += more;
      if (message.isWaiting || mayGoOn(source)) return;
      message.isWaiting = true;
      waiting++;
      source.pause();
    },
    /** Counts an answer until it is released. */
    hold(bytes: number): (() => void) | undefined {
      if (bytes < WORTH_COUNTING) return undefined;
      taken += bytes;
      held += bytes;
      let isOver = false;
      const release = () => {
        if (isOver) return;
        isOver = true;
        clearTimeout(late);
        taken -= bytes;
        held -= bytes;
        letGoOn();
      };
      const late = setTimeout(release, patienceMs).unref();
      return release;
    },
    /** Whether a server may seem silent only because it is not read. */
    isFull: () => waiting > 0,
    taken: () => taken,
  };
}

/** The heap is the process's, and so is the room: an answer is parsed on it, and may then take several times its size. */
export const room = createRoom(getHeapStatistics().heap_size_limit / 8);
