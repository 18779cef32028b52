import { AppError } from '../kernel/errors.ts';
import { asMessage } from './jsonrpc.ts';
import { createLineReader } from './lines.ts';
import { idInEnds, type LinkEvents, MESSAGE_LIMIT } from './link.ts';

/** Reads the other side's messages, one a line: a child's stdout, or a socket. */
export function createMessageReader(events: Omit<LinkEvents, 'closed'>): (chunk: Buffer) => void {
  return createLineReader({
    limit: MESSAGE_LIMIT,
    onLine(line) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(line);
      } catch {
        return events.noise(`a line that is not JSON (${line.length} characters)`);
      }
      for (const value of Array.isArray(parsed) ? parsed : [parsed]) {
        const message = asMessage(value);
        if ('invalid' in message) events.noise(`not a JSON-RPC message: ${message.invalid}`);
        else events.message(message, undefined, value === parsed ? line : undefined);
      }
    },
    onTooLong({ head, tail, bytes }) {
      const id = idInEnds(head, tail);
      const error = new AppError(
        'too_large',
        `The server answered with ${bytes} bytes; at most ${MESSAGE_LIMIT} are passed on. Ask for less.`,
      );
      if (id === undefined) events.noise(error.message);
      else events.failed(id, error);
    },
  });
}
