import { parentPort } from 'node:worker_threads';
import { storeError } from './errors.ts';
import type { ThreadReply, ThreadRequest } from './thread.ts';

/** Answers the questions to this thread with these methods, one after the other. */
export function answerWith<Method extends string>(
  file: string,
  methods: Readonly<Record<Method, (argument: never) => unknown>>,
): void {
  const byName = new Map<string, (argument: never) => unknown>(Object.entries(methods));
  parentPort?.on('message', ({ id, method, argument }: ThreadRequest) => {
    void answer(id, () => byName.get(method)?.(argument as never));
  });

  async function answer(id: number, work: () => unknown): Promise<void> {
    let reply: ThreadReply;
    try {
      reply = { id, value: await work() };
    } catch (thrown) {
      const { code, message } = storeError(file, thrown);
      reply = { id, error: { code, message } };
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(reply);
  }
}
