import { AppError, toAppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import { calleeProblem } from '../../n8n/client/refused.ts';
import { isLostRun, lostRun } from '../../n8n/executions/lost-run.ts';
import { archived, RUNNER_REFUSES, unpublished, unregistered } from '../../n8n/running/refusals.ts';
import { executionIn, failureIn } from '../../n8n/running/runner/runner-answer.ts';
import type { RawAnswer } from '../../n8n/running/web-answer.ts';
import type { Begun, RunTool } from './run-tool.ts';

// Why n8n did not run a workflow, and what to do about it.

type Refused = Pick<RunTool, 'name' | 'workflow' | 'instance' | 'call'>;

const labelOf = ({ workflow: { id, name } }: Pick<RunTool, 'workflow'>): string => `"${name}" (${id})`;

/** n8n could not be reached, or went away before it answered. */
export function unanswered(client: N8nClient, { workflow }: Pick<RunTool, 'workflow'>, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'unavailable' || error.data?.notExecuted === true) return error;
  if (isLostRun(error)) {
    return lostRun(client, { called: `"${workflow.name}"`, workflow: workflow.id }, { state: 'away' }, error);
  }
  return new AppError('unavailable', `${error.message} The workflow did not run. Try again once n8n is back.`, {
    cause: error,
    data: { n8n: client.name, begun: false },
  });
}

/** n8n knows no webhook at the workflow's address: finds out why. */
export async function notLive(tool: Refused, client: N8nClient, signal: AbortSignal): Promise<AppError> {
  const { name, workflow, instance, call } = tool;
  if (call.answering === 'runner') {
    return new AppError(
      'unavailable',
      `${name} was not run: the runner that Sluice generated in n8n (${instance}) is missing. \`sluice bridge apply\` makes it again.`,
    );
  }
  const label = labelOf(tool);
  try {
    const { active, isArchived } = await client.workflows.get(workflow.id, signal);
    if (isArchived) return new AppError('conflict', `${name} was not run: ${archived(label)}`);
    if (!active) return new AppError('conflict', `${name} was not run: ${unpublished(label)}`);
  } catch (error) {
    const { code } = toAppError(error);
    if (code === 'not_found') return deleted(tool);
    if (code !== 'forbidden') throw error;
  }
  return new AppError('unavailable', `${name} was not run: ${unregistered(label)}`);
}

const deleted = (tool: Refused): AppError =>
  new AppError('not_found', `${tool.name} was not run: ${labelOf(tool)} is no longer in n8n (${tool.instance}).`);

/** Why the runner could not call the workflow; undefined if it did. */
export function notCalled(tool: Refused, answer: RawAnswer): AppError | undefined {
  const { name, instance } = tool;
  if (answer.status === 403) {
    return new AppError(
      'unavailable',
      `${name} was not run in n8n (${instance}). ${RUNNER_REFUSES} Run \`sluice bridge remove\`, then \`sluice bridge apply\`.`,
    );
  }
  const said = executionIn(answer) === undefined && answer.bytes.length < 2000 ? failureIn(answer) : undefined;
  switch (said === undefined ? undefined : calleeProblem(said)) {
    case 'unpublished':
      return new AppError(
        'conflict',
        `${name} was not run: ${labelOf(tool)} is not published, or was deleted. n8n_publish_workflow publishes it.`,
      );
    case 'missing':
      return deleted(tool);
  }
  return undefined;
}

/** The run was started, but its end could not be read. */
export function outOfSight({ tool, execution }: Pick<Begun, 'tool' | 'execution'>, error: unknown): AppError {
  const { code, message } = toAppError(error);
  const which = execution === undefined ? '' : ` (execution ${execution})`;
  const begun = `${tool.name}: "${tool.workflow.name}" was started${which}`;
  const data = { ...(execution !== undefined && { execution }) };
  if (code === 'not_found') {
    const why = 'the workflow or its execution was deleted before it ended, so the result is lost';
    return new AppError('not_found', `${begun}, but ${why}. n8n_list_workflows shows whether it still exists.`, {
      cause: error,
      data,
    });
  }
  const look = execution === undefined ? 'n8n_list_executions' : `n8n_get_execution { "id": "${execution}" }`;
  return new AppError(
    code,
    `${begun}, but its end is unknown: ${message} Do not run it again before you have checked with ${look}.`,
    { cause: error, data: { ...data, begun: true, retryable: false } },
  );
}
