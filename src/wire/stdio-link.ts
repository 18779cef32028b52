import { AppError } from '../kernel/errors.ts';
import { type ChildOptions, startChild } from './child.ts';
import { asMessage } from './jsonrpc.ts';
import { createLineReader } from './lines.ts';
import { idInEnds, type Link, type LinkEvents, MESSAGE_LIMIT } from './link.ts';

const QUEUE_LIMIT = 64 * 1024 * 1024;

/** A link to a program we start. */
export async function openStdioLink(
  options: ChildOptions,
  events: LinkEvents,
): Promise<Link & { readonly pid: number }> {
  const child = await startChild(options);
  let closed = false;

  child.stdout.on(
    'data',
    createLineReader({
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
    }),
  );
  child.stdout.on('end', () => {
    // A server that closes its output can never answer again.
    if (!closed) void child.stop();
  });
  void child.exited.then((how) => {
    if (closed) return;
    closed = true;
    const words = child.lastWords();
    events.closed(new AppError('unavailable', `The process ${how}${words ? `; its last words: ${words}` : ''}`));
  });

  return {
    kind: 'stdio',
    pid: child.pid,
    send(message) {
      if (child.stdin.writableLength > QUEUE_LIMIT) {
        if ('method' in message && message.id !== undefined) {
          events.failed(
            message.id,
            new AppError('unavailable', 'The server does not read its input; try again later.'),
          );
        }
        return;
      }
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    drop() {},
    settled() {},
    async close() {
      closed = true;
      await child.stop();
    },
  };
}
