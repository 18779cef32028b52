import type { Presence } from '../kernel/presence.ts';
import { progressFor } from '../kernel/progress.ts';
import type { CallContext, CallParams } from '../kernel/source.ts';

const BEAT_MS = 3000;
/** If n8n is up, the call has ended by then. */
const FIRST_MS = 100;
/** Progress must only increase, and the tool's own begins at 1, so stay below. */
const SMALL = 1000;

/** Sends progress while n8n is starting, if the caller asked for progress. */
export function waitingBeats(tool: string, params: CallParams, context: CallContext, presence?: Presence): Disposable {
  const progress = progressFor(params, context);
  const began = Date.now();
  const beat = () => {
    if (presence?.isUp()) return clearInterval(timer);
    const seconds = Math.round((Date.now() - began) / 1000);
    progress((seconds + 1) / SMALL, undefined, `${tool} is waiting for n8n to start (${seconds} s so far)`);
  };
  const timer = setInterval(beat, BEAT_MS).unref();
  const first = setTimeout(beat, FIRST_MS).unref();
  return {
    [Symbol.dispose]() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
