import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallContext } from './source.ts';

interface Caller {
  /** The source of the tool. */
  readonly source: string;
  readonly tool: string;
  readonly traceId: string;
  /** The id of the principal. */
  readonly principal: string;
}

const callers = new AsyncLocalStorage<{ caller: Caller | undefined }>();

/** The call on whose behalf the current code runs. Undefined after the call was answered. */
export const callerNow = (): Caller | undefined => callers.getStore()?.caller;

/** Runs work on behalf of a call. */
export async function onBehalfOf<T>(
  { source, tool }: Pick<Caller, 'source' | 'tool'>,
  { trace, principal }: CallContext,
  work: () => Promise<T>,
): Promise<T> {
  const mine: { caller: Caller | undefined } = {
    caller: { source, tool, traceId: trace.traceId, principal: principal.id },
  };
  try {
    return await callers.run(mine, work);
  } finally {
    // Work that outlives the call, for example a watcher, still has this store. It no longer belongs to the call.
    mine.caller = undefined;
  }
}
