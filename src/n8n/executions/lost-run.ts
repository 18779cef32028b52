import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';
import { pause } from '../pause.ts';

// n8n went away while it ran a workflow for us. Whoever began it has to know that, before they begin it a second time.

const STEP_MS = 500;
/** n8n shows what it ran a moment after it is back. */
const SHOWS_MS = 3000;
/** So long before patience ends it is said that n8n is not back: whoever waits no longer than that is to read it. */
const LEAD_MS = 5000;

/** What went wrong before there was a connection: nothing can have been asked for. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Nothing is sent to a server whose certificate is not trusted. */
const UNTRUSTED = /CERT|^UNABLE_TO_|^ERR_(TLS|SSL)_|^EPROTO$/;

/** Whether n8n went away after it had been asked, so that what was asked for may have begun. */
export function isLostRun(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'unavailable' || error.data?.notExecuted === true) return false;
  const codes = [error.cause, (error.cause as Error | undefined)?.cause].map(
    (cause) => (cause as { code?: unknown } | undefined)?.code,
  );
  // An answer such as 502 comes from whoever stands before n8n: it may have been asked.
  return codes.every((code) => !UNSENT.has(code as string) && !UNTRUSTED.test(String(code)));
}

export type AfterLoss =
  | { readonly state: 'found'; readonly execution: Execution }
  /** n8n is back, and shows nothing of it. */
  | { readonly state: 'none' }
  | { readonly state: 'away' };

/** What n8n shows of a run that it was lost in, once it is back. It is waited for as long as patience lasts. */
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

/** What ran: in words, and as far as is known by id. */
export interface Lost {
  readonly called?: string;
  readonly workflow?: string | undefined;
  readonly execution?: string;
}

/** Says that a run had begun when n8n went away, which one it was as far as is known, and what a repeat may do. */
export function lostRun({ name }: Pick<N8nClient, 'name'>, what: Lost, after: AfterLoss, cause: unknown): AppError {
  const id = after.state === 'found' ? after.execution.id : what.execution;
  const { called = 'the workflow' } = what;
  const away = after.state === 'away' ? ', and is not back yet' : '';
  const filter = what.workflow === undefined ? '' : ` { "workflow": "${what.workflow}" }`;
  const words =
    id !== undefined
      ? `n8n (${name}) went away while ${called} ran as execution "${id}"${stateOf(after)}${away}. The run had begun, and what it had done is done: to repeat it may act twice. n8n_get_execution { "id": "${id}" } shows how far it came${away && ' once n8n is back'}.`
      : after.state === 'none'
        ? `n8n (${name}) went away after ${called} was called. It is back, and which execution that was cannot be told: the run had not begun, n8n keeps nothing of it, or others ran at the same time. If it had begun, to repeat it may act twice: n8n_list_executions${filter} shows what ran.`
        : `n8n (${name}) went away after ${called} was called${away}. The run had probably begun: to repeat it may act twice. Once n8n is back, n8n_list_executions${filter} shows it.`;
  return new AppError('unavailable', words, {
    cause,
    data: { n8n: name, begun: true, retryable: false, ...(id !== undefined && { execution: id }) },
  });
}

function stateOf(after: AfterLoss): string {
  if (after.state !== 'found') return '';
  const { status } = after.execution;
  return status === 'waiting' || status === 'running' ? ` (${status}: it goes on)` : ` (${status})`;
}

/** What goes wrong from here on does not undo that it runs; whoever hears of it should not begin it a second time. */
export async function begun<T>(id: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled' || error.data?.begun === true) throw error;
    const words = `Execution ${id} had begun, but how it goes cannot be seen: ${error.message} To repeat it may act twice: n8n_get_execution { id: "${id}" } shows what became of it.`;
    const data = { ...error.data, begun: true, retryable: false, execution: id };
    throw new AppError(error.code, words, { cause: error, data });
  }
}
