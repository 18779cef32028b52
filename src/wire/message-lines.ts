import { receiveText } from './incoming.ts';
import { createLineReader } from './lines.ts';
import { idInEnds, type LinkEvents, MESSAGE_LIMIT, tooLarge } from './link.ts';

/** Reads messages, one per line, from a child's stdout or a socket. */
export function createMessageReader(events: Omit<LinkEvents, 'closed'>): (chunk: Buffer) => void {
  return createLineReader({
    limit: MESSAGE_LIMIT,
    onLine: (line) => void receiveText(line, events),
    onTooLong({ head, tail, bytes }) {
      const id = idInEnds(head, tail);
      if (id === undefined) events.noise(`a message of ${bytes} bytes, which is too large`);
      else events.failed(id, tooLarge(bytes));
    },
  });
}
