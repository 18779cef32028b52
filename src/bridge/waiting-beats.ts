import type { Presence } from '../kernel/presence.ts';
import { progressFor } from '../kernel/progress.ts';
import type { CallContext, CallParams } from '../kernel/source.ts';

const BEAT_MS = 3000;
/** Where there is nothing to wait for, the call has ended by then. */
const FIRST_MS = 100;
/** Progress may only rise, and the tool's own begins at one. */
const SMALL = 1000;

/** Tells the caller of a tool that n8n is still starting, until it is up. Nothing for those who did not ask. */
export function waitingBeats(tool: string, params: CallParams, context: CallContext, presence?: Presence): Disposable {
  const progress = progressFor(params, context);
  const began = Date.now();
  const beat = () => {
    if (presence?.isUp()) return clearInterval(timer);
    const seconds = Math.round((Date.now() - began) / 1000);
    progress((seconds + 1) / SMALL, undefined, `${tool} waits for n8n, which is starting (${seconds} s so far)`);
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
