import { receiveText } from './incoming.ts';
import { createLineReader } from './lines.ts';
import { idInEnds, type LinkEvents, MESSAGE_LIMIT, tooLarge } from './link.ts';
import { room, type Source } from './room.ts';

/** Reads messages, one per line, from a child's stdout or a socket. With `source`, it is not read while there is no room. */
export function createMessageReader(events: Omit<LinkEvents, 'closed'>, source?: Source): (chunk: Buffer) => void {
  return createLineReader({
    limit: MESSAGE_LIMIT,
    ...(source && { onGrown: (bytes) => room.keeps(source, bytes) }),
    onLine: (line) => void receiveText(line, events),
    onTooLong({ head, tail, bytes }) {
      const id = idInEnds(head, tail);
      if (id === undefined) events.noise(`a message of ${bytes} bytes, which is too large`);
      else events.failed(id, tooLarge(bytes));
    },
  });
}
