import { progressFor } from '../../kernel/progress.ts';
import type { CallContext, CallParams } from '../../kernel/source.ts';
import { findRunning } from '../../n8n/executions/sought.ts';
import { quietly } from './executions.ts';
import type { Begun } from './run-tool.ts';

const BEAT_MS = 3000;

/** Sends progress, with the execution once n8n shows it, if the caller asked for progress. */
export function beating(begun: Begun, params: CallParams, context: CallContext, signal: AbortSignal): Disposable {
  if (params._meta?.progressToken === undefined) return { [Symbol.dispose]() {} };
  const { tool, client, sought, timeoutMs } = begun;
  const progress = progressFor(params, context);
  const began = Date.now();
  const total = Math.ceil(timeoutMs / 1000);
  let looking = false;
  let waits = false;

  async function look(): Promise<void> {
    const found =
      begun.execution === undefined
        ? await findRunning(client, sought, signal)
        : await client.executions.get(begun.execution, false, signal);
    if (!found) return;
    begun.execution = found.id;
    waits = found.status === 'waiting';
  }

  const timer = setInterval(() => {
    if (signal.aborted) return;
    const seconds = Math.round((Date.now() - began) / 1000);
    const which = begun.execution === undefined ? '' : ` (execution ${begun.execution})`;
    const state = waits ? 'is waiting' : 'is running';
    progress(Math.min(seconds, total), total, `"${tool.workflow.name}" ${state}, ${seconds} s so far${which}`);
    if (looking) return;
    looking = true;
    void quietly(look).finally(() => {
      looking = false;
    });
  }, BEAT_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
