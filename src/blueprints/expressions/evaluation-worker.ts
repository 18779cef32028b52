/** The thread that evaluates expressions and checks inputs: both may take for ever, and the main thread cannot stop them. */
import { parentPort } from 'node:worker_threads';
import { AppError } from '../../kernel/errors.ts';
import { checkInputs } from './check-inputs.ts';
import { evaluate } from './evaluate.ts';
import type { ThreadReply, ThreadRequest, Work } from './messages.ts';

function result(work: Work, begin: (index: number) => void): unknown {
  if (work.do === 'evaluate') return evaluate(work.sources, work.scope, begin);
  return checkInputs(work.schemas, work.given, begin);
}

function answer({ work, at }: ThreadRequest): ThreadReply {
  try {
    return { state: 'done', value: result(work, (index) => Atomics.store(at, 0, index)) };
  } catch (error) {
    if (error instanceof AppError) return { state: 'failed', code: error.code, message: error.message };
    // Not its message: it may quote a value, and a value may be a secret.
    return { state: 'failed', code: 'internal', message: 'Sluice failed to evaluate an expression. This is a bug.' };
  }
}

function say(reply: ThreadReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (request: ThreadRequest) => {
  say({ state: 'begun', cpu: process.threadCpuUsage() });
  say(answer(request));
});

// The first expression takes ten times as long as the next ones. That time belongs to the start.
evaluate(['["a"].map(x, x + "b").exists(x, x.matches("^a.$"))'], { variables: [], stepNames: [] }, () => {});
checkInputs([['a', { type: 'string', pattern: '^a' }]], [['a', 'a']], () => {});
say({ state: 'ready' });
