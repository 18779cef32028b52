import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a stream may outlive its session. */
const EVERY_MS = 2000;

/** Streams of browsers, which end with their session: nothing else would end them when somebody signs out. */
export interface OpenStreams extends Disposable {
  add(request: IncomingMessage, response: ServerResponse): void;
}

export function createOpenStreams(holds: (request: IncomingMessage) => Promise<boolean>): OpenStreams {
  const open = new Map<ServerResponse, IncomingMessage>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    for (const [response, request] of open) {
      // If nobody can tell now, the next look can.
      if (!(await holds(request).catch(() => true))) response.destroy();
    }
    timer = open.size > 0 ? setTimeout(() => void look(), EVERY_MS).unref() : undefined;
  }

  return {
    add(request, response) {
      open.set(response, request);
      response.once('close', () => open.delete(response));
      timer ??= setTimeout(() => void look(), EVERY_MS).unref();
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
