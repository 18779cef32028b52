import { AppError } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';
import { pause } from '../pause.ts';
import { lostRun } from './lost-run.ts';

const FIRST_MS = 50;
const LONGEST_MS = 1000;

export interface Patience {
  /** When to stop waiting, in milliseconds since 1970. */
  readonly until: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export function patienceOf(seconds: number, signal: AbortSignal, progress: Progress): Patience {
  return { until: Date.now() + seconds * 1000, signal, progress };
}

const ended: ReadonlySet<string> = new Set(['success', 'error', 'crashed', 'canceled']);

export const hasEnded = ({ status }: Pick<Execution, 'status'>): boolean => ended.has(status);

/**
 * Waits until an execution has ended or the time is up; it continues without us then. If n8n goes away meanwhile, waits
 * for it as well. `known`: the execution has certainly started, even if n8n has not listed it yet.
 */
export async function untilEnded(
  client: N8nClient,
  id: string,
  { until, signal, progress }: Patience,
  known = false,
): Promise<Execution> {
  const began = Date.now();
  const total = Math.max(1, Math.round((until - began) / 1000));
  let told = -1;
  let seen = known;
  for (let step = FIRST_MS; ; step = Math.min(step * 1.5, LONGEST_MS)) {
    const execution = await existingExecution(client, id, false, signal).catch((error: unknown) => {
      if (!seen || !isAway(error)) throw error;
      if (Date.now() >= until) throw lostRun(client, { execution: id }, { state: 'away' }, error);
      return undefined;
    });
    const left = until - Date.now();
    if (execution && (hasEnded(execution) || left <= 0 || sleepsBeyond(execution, until))) return execution;
    seen = true;
    const seconds = Math.min(total, Math.floor((Date.now() - began) / 1000));
    const state = execution ? `is ${execution.status}` : 'is unknown: n8n cannot be reached';
    if (seconds > told) progress(seconds, total, `Execution ${id} ${state}`);
    told = seconds;
    await pause(Math.max(0, Math.min(step, left)), signal);
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'unavailable' || error.code === 'timeout');

/** It waits for an answer, or for a time after our own limit. */
function sleepsBeyond({ status, waitTill }: Execution, until: number): boolean {
  return status === 'waiting' && (!waitTill || Date.parse(waitTill) > until);
}

/** Reports progress once a second while something else is awaited. */
export async function ticking<T>(words: string, { until, progress }: Patience, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  const total = Math.max(1, Math.round((until - began) / 1000));
  const timer = setInterval(() => {
    progress(Math.min(total, Math.round((Date.now() - began) / 1000)), total, words);
  }, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The execution with this id. The error for an unknown id says where to find ids. */
export async function existingExecution(
  client: N8nClient,
  id: string,
  data: boolean | 'whole',
  signal: AbortSignal,
): Promise<Execution> {
  try {
    return await client.executions.get(id, data, signal);
  } catch (error) {
    throw notThere(client, id, error);
  }
}

/** Replaces n8n's bare "Not Found" with an error about the execution. */
export function notThere(client: N8nClient, id: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'not_found') return error;
  return new AppError(
    'not_found',
    `No execution ${id} in n8n (${client.name}). n8n_list_executions shows the ids; old ones are pruned, and a workflow may be set to keep none.`,
    { cause: error, data: { ...error.data, executionId: id } },
  );
}
