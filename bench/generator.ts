import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Job, LoadResult } from './load.ts';
import type { Running } from './process.ts';

export interface Loaded extends LoadResult {
  /** CPU of the target itself, per call. */
  cpuMicros: number;
}

export interface Generator extends Disposable {
  load(running: Running, job: Job): Promise<Loaded>;
}

const program = fileURLToPath(new URL('./load.ts', import.meta.url));
const GRACE_SECONDS = 20;

/** The load generator's process, replaced if a target left it hanging. */
export function startGenerator(): Generator {
  let child: ChildProcess | undefined;

  function end(): void {
    child?.kill('SIGKILL');
    child = undefined;
  }

  return {
    async load(running, job) {
      child ??= fork(program);
      const replies = replyReader(child, running, job.warmup.seconds + job.limit.seconds + GRACE_SECONDS);
      try {
        child.send(job);
        await replies();
        const before = running.cpu();
        child.send('go');
        const result = (await replies()) as LoadResult;
        if (result.calls === 0) throw new Error(`Not one call was answered rightly: ${result.firstError}`);
        const cpuMicros = (running.cpu() - before) / result.calls;
        child.send('close');
        await replies();
        return { ...result, cpuMicros };
      } catch (error) {
        end();
        throw error;
      }
    },
    [Symbol.dispose]: end,
  };
}

/** The next message of the generator; throws if it reports a problem, takes too long, or the target has ended. */
function replyReader(child: ChildProcess, running: Running, seconds: number): () => Promise<unknown> {
  const late = delay(seconds * 1000, new Error(`The load did not end within ${seconds} s.`), { ref: false });
  return async () => {
    const reply = await Promise.race([once(child, 'message'), running.ended, late]);
    if (reply instanceof Error) throw reply;
    const [message] = reply as [unknown];
    if (typeof message === 'object' && message !== null && 'problem' in message)
      throw new Error(String(message.problem));
    return message;
  };
}
