import { AppError } from '../../kernel/errors.ts';
import type { CallContext, CallParams, Json, Outcome } from '../../kernel/source.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import type { RawAnswer } from '../../n8n/running/web-answer.ts';
import { callWeb, isUnregistered } from '../../n8n/running/web-call.ts';
import type { WebRequest } from '../../n8n/running/web-request.ts';
import { START_WAIT_MS } from '../../n8n/client/presence.ts';
import { pause } from '../../n8n/pause.ts';
import { executionIn } from '../../n8n/running/runner/runner-answer.ts';
import { abandoned } from './abandoned.ts';
import { beating } from './beating.ts';
import { findEnded, type Sought } from '../../n8n/executions/sought.ts';
import { follow, quietly } from './executions.ts';
import type { Nesting } from '../loops/nesting.ts';
import { isLost, resultAfterLoss, waitsUntil } from './lost.ts';
import { notCalled, notLive, outOfSight, unanswered } from './refusals.ts';
import { answerResult, type RunResult, streamed, text } from './result.ts';
import type { Begun, RunTool } from './run-tool.ts';
import { runnerResult } from './runner-result.ts';
import { waitingBeats } from '../waiting-beats.ts';

export interface RunDeps {
  readonly client: N8nClient;
  readonly nesting: Nesting;
  readonly timeoutMs: number;
  /** The workflow or runner is not as expected: scan it again. */
  lookAgain(): void;
  /** Keeps track of work that continues after the call. */
  background(work: Promise<unknown>): void;
}

/** n8n reports a workflow as published before its webhooks are live. */
const APPEARS_MS = 3000;
/** n8n's own limit for a request. */
const MOST_BYTES = 16 * 1024 * 1024;
const STEP_MS = 150;
const EXPLAIN_MS = 2000;
const KEPT_MS = 4000;

/** Runs a workflow as a tool, once n8n is up. The timeout starts then. */
export async function run(tool: RunTool, params: CallParams, context: CallContext, deps: RunDeps): Promise<Outcome> {
  if (!deps.client.presence.isUp()) await untilUp(tool, params, context, deps);
  for (const until = Date.now() + START_WAIT_MS; ; await pause(STEP_MS, context.signal)) {
    try {
      return await runOnce(tool, params, context, deps);
    } catch (error) {
      // n8n answered that it is still starting, and ran nothing, so a retry is safe.
      if (!(error instanceof AppError && error.data?.notExecuted === true) || Date.now() > until) throw error;
      await untilUp(tool, params, context, deps);
    }
  }
}

/** Needs one request. Only slow or failed runs cost more. */
async function runOnce(tool: RunTool, params: CallParams, context: CallContext, deps: RunDeps): Promise<Outcome> {
  const args = params.arguments ?? {};
  tool.check(tool.name, args);
  using turn = deps.nesting.enter(tool, context);
  const { headers, ...request } = tool.call.request(args);
  const sought: Sought = {
    workflow: tool.workflow.id,
    mark: turn.spanId,
    since: Date.now(),
    ...(tool.runner !== undefined && { runner: tool.runner }),
  };
  const limit = AbortSignal.timeout(deps.timeoutMs);
  const signal = AbortSignal.any([context.signal, limit]);
  const begun: Begun = { tool, client: deps.client, sought, timeoutMs: deps.timeoutMs };
  using _beats = beating(begun, params, context, signal);
  const told = (result: RunResult): Outcome => {
    const { execution } = begun;
    return { result: dressed(tool, result, execution), ...(execution !== undefined && { execution }) };
  };
  try {
    const answer = await answered(tool, deps, { ...request, headers: { ...turn.headers, ...headers } }, signal);
    return told(await resultIn(begun, answer, signal));
  } catch (error) {
    if (!signal.aborted && !isLost(error)) throw error;
    if (signal.aborted) throw await abandoned(begun, context.signal.aborted ? deps.background : undefined, error);
    const until = waitsUntil(begun, params._meta?.progressToken !== undefined);
    return told(await resultAfterLoss(begun, { place: placeOf(tool), until, signal: context.signal }, error));
  }
}

async function untilUp(tool: RunTool, params: CallParams, context: CallContext, { client }: RunDeps): Promise<void> {
  using _ = waitingBeats(tool.name, params, context);
  try {
    await client.presence.untilUp(context.signal);
  } catch (error) {
    throw context.signal.aborted ? new AppError('cancelled', 'The call was cancelled.', { cause: error }) : error;
  }
}

/** n8n's answer, once the workflow is live. */
async function answered(
  tool: RunTool,
  { client, lookAgain }: RunDeps,
  request: WebRequest,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const patience = { signal, appearsMs: APPEARS_MS, mostBytes: MOST_BYTES };
  const answer = await callWeb(client, request, patience).catch((error: unknown) => {
    throw unanswered(client, tool, error);
  });
  if (isUnregistered(answer)) {
    lookAgain();
    throw await notLive(tool, client, signal);
  }
  const refused = tool.call.answering === 'runner' ? notCalled(tool, answer) : undefined;
  if (!refused) return answer;
  lookAgain();
  throw refused;
}

const placeOf = ({ instance, workflow }: RunTool): string =>
  `n8n://${encodeURIComponent(instance)}/workflows/${encodeURIComponent(workflow.id)}`;

async function resultIn(begun: Begun, answer: RawAnswer, signal: AbortSignal): Promise<RunResult> {
  const { tool } = begun;
  const place = placeOf(tool);
  const { answering } = tool.call;
  if (answering === 'runner') {
    const execution = executionIn(answer);
    if (execution !== undefined) begun.execution = execution;
    return runnerResult(answer, place);
  }
  const good = answer.status < 400;
  const said = answering === 'stream' && good ? streamed(answer.bytes) : undefined;
  if (said) return said;
  if (!good || answering === 'answer') {
    const result = answerResult(answer, place);
    if (result.isError && begun.execution === undefined) await explain(begun);
    return result;
  }
  return followed(begun, place, signal);
}

/** n8n only accepted the call, so the result is read from the execution. */
async function followed(begun: Begun, place: string, signal: AbortSignal): Promise<RunResult> {
  const { tool, client, sought } = begun;
  const { execution, result } = await follow(client, sought, {
    place,
    signal,
    appearsMs: KEPT_MS,
    onFound: ({ id }) => (begun.execution = id),
  }).catch((error: unknown) => {
    throw signal.aborted ? error : outOfSight(begun, error);
  });
  if (result) return result;
  if (!execution) {
    return {
      content: [text(`"${tool.workflow.name}" was started. n8n keeps no execution of it, so its result is unknown.`)],
    };
  }
  return {
    content: [
      text(
        `"${tool.workflow.name}" is waiting for input (execution ${execution.id}), for example another page of its form. n8n_get_execution shows how it continues.`,
      ),
    ],
  };
}

/** Looks up which execution failed, because that is where you look next. */
async function explain(begun: Begun): Promise<void> {
  const found = await quietly(() => findEnded(begun.client, begun.sought, AbortSignal.timeout(EXPLAIN_MS)));
  if (found) begun.execution = found.id;
}

function dressed(tool: RunTool, { content, structured, isError }: RunResult, execution: string | undefined): Json {
  const where =
    isError && execution !== undefined ? [text(`n8n_get_execution { "id": "${execution}" } shows where.`)] : [];
  return {
    content: [...content, ...where],
    ...(structured && { structuredContent: structured }),
    ...(isError && { isError }),
    ...(execution !== undefined && {
      _meta: { 'sluice/execution': { id: execution, workflow: tool.workflow.id, n8n: tool.instance } },
    }),
  };
}
