import { AppError } from '../../kernel/errors.ts';
import { neverSent } from '../../kernel/unreachable.ts';
import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';
import { pause } from '../pause.ts';

// n8n went away while it ran a workflow. Callers have to know that before they run it a second time.

const STEP_MS = 500;
/** Once n8n is back, it takes a moment until it lists what it ran. */
const SHOWS_MS = 3000;
/** Give up this long before the time is up, so that a caller with the same limit still gets the error. */
const LEAD_MS = 5000;

/** Whether n8n went away after it may have got the request, so that the run may have started. */
export function isLostRun(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'unavailable' || error.data?.notExecuted === true) return false;
  // A 502 comes from a proxy, which may have passed the request on to n8n.
  return !neverSent(error.cause);
}

export type AfterLoss =
  | { readonly state: 'found'; readonly execution: Execution }
  /** n8n is back and does not list the run. */
  | { readonly state: 'none' }
  | { readonly state: 'away' };

/** Waits until n8n is back, as long as there is time, and looks for the run there. */
export async function afterLoss(
  { until, signal }: { readonly until: number; readonly signal: AbortSignal },
  look: (signal: AbortSignal) => Promise<Execution | undefined>,
): Promise<AfterLoss> {
  const limit = AbortSignal.timeout(Math.max(0, until - LEAD_MS - Date.now()));
  const either = AbortSignal.any([signal, limit]);
  let back: number | undefined;
  for (;;) {
    try {
      const execution = await look(either);
      if (execution) return { state: 'found', execution };
      back ??= Date.now();
      if (Date.now() - back > SHOWS_MS) return { state: 'none' };
      await pause(STEP_MS, either);
    } catch (error) {
      if (signal.aborted) throw error;
      if (limit.aborted) return { state: back === undefined ? 'away' : 'none' };
      if (!(error instanceof AppError) || !error.retryable) throw error;
      await pause(STEP_MS, either).catch(() => {});
    }
  }
}

/** What ran: a name for messages, and the ids as far as they are known. */
export interface Lost {
  readonly called?: string;
  readonly workflow?: string | undefined;
  readonly execution?: string;
}

/** The error for a run that n8n went away from. Says which run, as far as known, and that repeating may act twice. */
export function lostRun({ name }: Pick<N8nClient, 'name'>, what: Lost, after: AfterLoss, cause: unknown): AppError {
  const id = after.state === 'found' ? after.execution.id : what.execution;
  const { called = 'the workflow' } = what;
  const away = after.state === 'away' ? ', and is not back yet' : '';
  const filter = what.workflow === undefined ? '' : ` { "workflow": "${what.workflow}" }`;
  const words =
    id !== undefined
      ? `n8n (${name}) went away while ${called} ran as execution "${id}"${stateOf(after)}${away}. The run had started, and what it did is done: repeating it may act twice. n8n_get_execution { "id": "${id}" } shows how far it got${away && ' once n8n is back'}.`
      : after.state === 'none'
        ? `n8n (${name}) went away after ${called} was called. It is back, but the execution cannot be identified: the run had not started, n8n keeps no record of it, or others ran at the same time. If it had started, repeating it may act twice. n8n_list_executions${filter} shows what ran.`
        : `n8n (${name}) went away after ${called} was called${away}. The run had probably started: repeating it may act twice. Once n8n is back, n8n_list_executions${filter} shows it.`;
  return new AppError('unavailable', words, {
    cause,
    data: { n8n: name, begun: true, retryable: false, ...(id !== undefined && { execution: id }) },
  });
}

function stateOf(after: AfterLoss): string {
  if (after.state !== 'found') return '';
  const { status } = after.execution;
  return status === 'waiting' || status === 'running' ? ` (${status}: it continues)` : ` (${status})`;
}

/** For errors after the start: the execution goes on, so the error says not to start it a second time. */
export async function begun<T>(id: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled' || error.data?.begun === true) throw error;
    const words = `Execution ${id} has started, but its state cannot be read: ${error.message} Repeating it may act twice. n8n_get_execution { id: "${id}" } shows what became of it.`;
    const data = { ...error.data, begun: true, retryable: false, execution: id };
    throw new AppError(error.code, words, { cause: error, data });
  }
}
