import { AppError } from '../kernel/errors.ts';
import { causeOfEnd } from './cause-of-end.ts';
import { startChild } from './child.ts';
import type { Link, LinkEvents } from './link.ts';
import { createMessageReader } from './message-lines.ts';
import type { Program } from './process-group.ts';

const QUEUE_LIMIT = 64 * 1024 * 1024;

/** A link to a program that we start. `heard` gets what it writes to stderr. */
export async function openStdioLink(
  program: Program,
  events: LinkEvents,
  heard?: (stderr: string) => void,
): Promise<Link & { readonly pid: number }> {
  const child = await startChild(program, heard);
  let closed = false;

  child.stdout.on('data', createMessageReader(events, child.stdout));
  child.stdout.on('end', () => {
    // A server that closes its output can never answer again.
    if (!closed) void child.stop();
  });
  void child.exited.then((how) => {
    if (closed) return;
    closed = true;
    const words = child.lastWords();
    const message = `The process ${how}${words ? `; last output: ${words}` : ''}`;
    events.closed(new AppError('unavailable', message, { cause: causeOfEnd(words) }));
  });

  // Messages sent in one turn of the event loop go out in one write: system calls are most of the cost.
  let queued = '';
  function flush(): void {
    const lines = queued;
    queued = '';
    if (!closed) child.stdin.write(lines);
  }

  return {
    kind: 'stdio',
    pid: child.pid,
    send(message) {
      if (child.stdin.writableLength > QUEUE_LIMIT) {
        if ('method' in message && message.id !== undefined) {
          events.failed(
            message.id,
            new AppError('unavailable', 'The server does not read its input. Try again later.', { saysWhen: true }),
          );
        }
        return;
      }
      const line = `${JSON.stringify(message)}\n`;
      if (queued === '') setImmediate(flush);
      queued += line;
    },
    drop() {},
    settled() {},
    async close() {
      closed = true;
      await child.stop();
    },
  };
}
