import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallContext } from './source.ts';

interface Caller {
  /** Whose tool it is. */
  readonly source: string;
  readonly tool: string;
  readonly traceId: string;
}

const callers = new AsyncLocalStorage<{ caller: Caller | undefined }>();

/** The call that is being answered by what happens now. What goes on after its answer is nobody's. */
export const callerNow = (): Caller | undefined => callers.getStore()?.caller;

/** Does something for a call. */
export async function onBehalfOf<T>(
  { source, tool }: Pick<Caller, 'source' | 'tool'>,
  { trace }: CallContext,
  work: () => Promise<T>,
): Promise<T> {
  const mine: { caller: Caller | undefined } = { caller: { source, tool, traceId: trace.traceId } };
  try {
    return await callers.run(mine, work);
  } finally {
    // Whatever it has begun, a watch for one, still carries it around.
    mine.caller = undefined;
  }
}
