import { AppError } from '../../kernel/errors.ts';
import { afterLoss, lostRun } from '../../n8n/executions/lost-run.ts';
import { findLost } from '../../n8n/executions/sought.ts';
import { resultOf } from './executions.ts';
import type { RunResult } from './result.ts';
import type { Begun } from './run-tool.ts';

/** Whether n8n went away while the run may have begun. */
export const isLost = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unavailable' && error.data?.begun === true;

/** Without progress, most clients give up after a minute. */
const USUAL_MS = 60_000;
const RETURN_MS = 45_000;

/** How long to wait for n8n to come back, so that the caller still waits for the answer. */
export function waitsUntil({ sought: { since }, timeoutMs }: Begun, hearsProgress: boolean, now = Date.now()): number {
  const end = since + timeoutMs;
  if (hearsProgress) return end;
  return Math.min(end, (now - since > USUAL_MS ? now : since) + RETURN_MS);
}

/**
 * Looks up a run after n8n went away and came back. Returns its result if it succeeded. Otherwise throws, with the
 * execution and a warning that a repeat may act twice.
 */
export async function resultAfterLoss(
  begun: Begun,
  { place, ...patience }: { place: string; until: number; signal: AbortSignal },
  cause: unknown,
): Promise<RunResult> {
  const { client, tool, sought } = begun;
  const { id, name } = tool.workflow;
  const after = await afterLoss(patience, async (limit) => {
    if (begun.execution === undefined) return findLost(client, sought, limit);
    return client.executions.get(begun.execution, false, limit);
  });
  if (after.state === 'found') begun.execution = after.execution.id;
  if (after.state === 'found' && after.execution.status === 'success') {
    return resultOf(await client.executions.get(after.execution.id, 'whole', patience.signal), place);
  }
  const known = begun.execution !== undefined && { execution: begun.execution };
  throw lostRun(client, { called: `"${name}"`, workflow: id, ...known }, after, cause);
}
