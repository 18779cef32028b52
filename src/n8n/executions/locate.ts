import type { N8nClient } from '../client/client.ts';
import type { Execution } from '../client/shapes.ts';
import { pause } from '../pause.ts';

const STEP_MS = 100;
const LOOKED_AT = 20;
/** n8n's clock may differ from ours. */
const SLACK_MS = 2000;

/** The id of the newest execution before a call. The execution that the call starts has a higher one. */
export async function newestExecution(client: N8nClient, workflowId: string, signal: AbortSignal): Promise<number> {
  const pages = await both(client, workflowId, 1, signal);
  return Math.max(0, ...pages.map(({ id }) => Number(id)));
}

/**
 * Finds the execution that a call started, because n8n does not name it in the answer. `mark` occurs only in the data or
 * the trace of that execution. Undefined if it does not appear in time: the workflow may be set to keep none.
 */
export async function locate(
  client: N8nClient,
  workflowId: string,
  { after, mark, until, signal }: { after: number; mark: readonly string[]; until: number; signal: AbortSignal },
): Promise<Execution | undefined> {
  const seen = new Set<string>();
  for (;;) {
    const found = await lookFor(client, workflowId, { after, mark, seen }, signal);
    if (found || Date.now() >= until) return found;
    await pause(STEP_MS, signal);
  }
}

/** Like `locate`, but looks only once. */
export async function lookFor(
  client: N8nClient,
  workflowId: string,
  { after, mark, seen = new Set() }: { after: number; mark: readonly string[]; seen?: Set<string> },
  signal: AbortSignal,
): Promise<Execution | undefined> {
  const found = await both(client, workflowId, LOOKED_AT, signal);
  for (const { id } of found.filter((one) => Number(one.id) > after && !seen.has(one.id))) {
    const execution = await client.executions.get(id, true, signal).catch(() => undefined);
    if (!execution) continue;
    const text = JSON.stringify([execution.tracingContext, execution.data]);
    if (mark.every((part) => text.includes(part))) return execution;
    // A new execution may not have its data yet: look at it again.
    if (text.length > 1000) seen.add(id);
  }
  return undefined;
}

/** The newest run of the draft since then. Runs of drafts carry no mark, so this is the best guess. */
export async function newestDraft(
  client: N8nClient,
  workflowId: string,
  since: number,
  signal: AbortSignal,
): Promise<Execution | undefined> {
  const recent = (await both(client, workflowId, LOOKED_AT, signal)).filter(
    ({ startedAt, mode }) => mode === 'manual' && startedAt && Date.parse(startedAt) >= since - SLACK_MS,
  );
  return recent.toSorted((a, b) => Number(b.id) - Number(a.id))[0];
}

/** The run that retries this execution. */
export async function retryOf(
  client: N8nClient,
  { id, workflowId, after }: { id: string; workflowId: string; after: number },
  signal: AbortSignal,
): Promise<Execution | undefined> {
  const found = await both(client, workflowId, LOOKED_AT, signal);
  return found.find((one) => one.retryOf === id && Number(one.id) > after);
}

/** n8n lists running executions only if asked for that status. */
async function both(client: N8nClient, workflowId: string, limit: number, signal: AbortSignal): Promise<Execution[]> {
  const [done, running] = await Promise.all([
    client.executions.page({ workflowId, limit }, signal),
    client.executions.page({ workflowId, limit, status: 'running' }, signal),
  ]);
  return [...running.items, ...done.items];
}
