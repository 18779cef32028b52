import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** MongoDB's own limit for a document, the largest of all services. */
const MOST_MB = 16;
/**
 * A driver holds a message as a whole before anybody can refuse it: a longer one could take all memory. With some room
 * for what is around a document.
 */
const MOST_MESSAGE_BYTES = (MOST_MB * 1024 + 64) * 1024;

/**
 * How a protocol tells its messages apart. Made for each connection, and given each piece that arrives. Returns where in the
 * piece the message is that is longer than `most`, or says that it will be; -1 if there is none.
 */
export type Framing = (most: number) => (piece: Buffer) => number;

/** Ends a connection. Drivers pass it on, at least its text. */
class MessageTooLong extends Error {
  override readonly name = 'MessageTooLong';

  constructor() {
    super(`a message of more than ${MOST_MB} MB`);
  }
}

const opening = new AsyncLocalStorage<Framing | undefined>();

// Drivers make their sockets themselves and offer no other way to get at them.
subscribe('net.client.socket', (message) => {
  const framing = opening.getStore();
  if (framing) limit((message as { socket: Socket }).socket, framing(MOST_MESSAGE_BYTES));
});

/** Runs work of a driver: connections that it opens end as soon as a message is too long, or says that it will be. */
export const limitMessages = <T>(framing: Framing | undefined, work: () => T): T => opening.run(framing, work);

/** `push` gets every piece before anything holds it, and decrypted. */
function limit(socket: Socket, tooLongIn: (piece: Buffer) => number): void {
  const push = socket.push;
  socket.push = (piece: Buffer | null, encoding) => {
    const end = piece === null ? -1 : tooLongIn(piece);
    if (piece === null || end === -1) return push.call(socket, piece, encoding);
    // Messages before it are somebody's answers.
    if (end > 0) push.call(socket, piece.subarray(0, end), encoding);
    socket.destroy(new MessageTooLong());
    return false;
  };
}

/** Whether a connection ended because of a message that was too long. Some drivers keep the text of a cause only. */
export function isTooLong(error: unknown): boolean {
  const text = new MessageTooLong().message;
  for (let inner = error; inner instanceof Error; inner = inner.cause)
    if (inner instanceof MessageTooLong || inner.message.includes(text)) return true;
  return false;
}
