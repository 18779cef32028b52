import { AppError } from '../../kernel/errors.ts';
import { quietly, stopRunning } from './executions.ts';
import type { Begun } from './run-tool.ts';

const STOP_MS = 10_000;

/**
 * The call ended before the run did. Stops the run, if its execution can be found; in the background if the caller has
 * cancelled.
 */
export async function abandoned(
  begun: Begun,
  cancelled: ((work: Promise<unknown>) => void) | undefined,
  cause: unknown,
): Promise<AppError> {
  const { tool, client, sought, timeoutMs, execution } = begun;
  const limit = AbortSignal.timeout(STOP_MS);
  const stopping = quietly(async () => {
    if (execution === undefined) return stopRunning(client, sought, limit);
    await client.executions.stop(execution, limit);
    return execution;
  });
  if (cancelled) {
    cancelled(stopping);
    return new AppError('cancelled', 'The call was cancelled.', { cause });
  }
  const stopped = await stopping;
  const end =
    stopped === undefined
      ? 'Its execution was not found and may still run. n8n_list_executions shows it.'
      : `Its execution ${stopped} was stopped.`;
  return new AppError(
    'timeout',
    `"${tool.workflow.name}" did not end within ${Math.round(timeoutMs / 1000)} s. ${end} To give ${tool.name} more time, set bridge.timeouts in the configuration.`,
    { cause, ...(stopped !== undefined && { data: { execution: stopped } }) },
  );
}
