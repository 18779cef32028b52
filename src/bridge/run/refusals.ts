import { AppError, messageOf, toAppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import { isLostRun } from '../../n8n/executions/lost-run.ts';
import { executionIn, failureIn } from '../../n8n/running/runner/runner-answer.ts';
import type { RawAnswer } from '../../n8n/running/web-answer.ts';
import type { Begun, RunTool } from './run-tool.ts';

// Why n8n did not run a workflow, and what to do about it.

type Refused = Pick<RunTool, 'name' | 'workflow' | 'instance' | 'call'>;

/** Nothing came back: n8n was not there to be asked, or it went away before it answered. */
export function brokenOff({ name, url }: N8nClient, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'unavailable' || error.data?.notExecuted === true) return error;
  const { cause } = error;
  const why = messageOf(cause) || (cause instanceof AggregateError ? messageOf(cause.errors[0]) : '');
  const begun = isLostRun(error);
  const text = begun
    ? `n8n (${name}) broke the call off (${why}): it ended or restarted. The workflow may have run in part: n8n_list_executions shows it. To repeat it may act twice.`
    : `n8n (${name}, ${url}) cannot be reached: ${why}. The workflow did not run. Try again once n8n is back.`;
  return new AppError('unavailable', text, { cause, data: { n8n: name, begun } });
}

/** There is nothing at the address of the workflow: it was deleted, archived or unpublished, or its webhook is another. */
export async function notLive(
  { name, workflow, instance, call }: Refused,
  client: N8nClient,
  signal: AbortSignal,
): Promise<AppError> {
  const label = `"${workflow.name}" (${workflow.id})`;
  if (call.answering === 'runner') {
    return new AppError(
      'unavailable',
      `${name} was not run: the workflow that Sluice generated in n8n (${instance}) to call others is not there. \`sluice bridge apply\` makes it again.`,
    );
  }
  try {
    const { active, isArchived } = await client.workflows.get(workflow.id, signal);
    if (isArchived)
      return new AppError(
        'conflict',
        `${name} was not run: ${label} is archived. n8n_archive_workflow with "archived": false brings it back.`,
      );
    if (!active)
      return new AppError(
        'conflict',
        `${name} was not run: ${label} is not published. n8n_publish_workflow publishes it.`,
      );
  } catch (error) {
    const { code } = toAppError(error);
    if (code === 'not_found') return gone(name, label, instance);
    if (code !== 'forbidden') throw error;
  }
  return new AppError(
    'unavailable',
    `${name} was not run: ${label} is published, but n8n does not know its trigger's address. Publish it anew with n8n_unpublish_workflow and n8n_publish_workflow.`,
  );
}

function gone(name: string, label: string, instance: string): AppError {
  return new AppError('not_found', `${name} was not run: ${label} is no longer in n8n (${instance}).`);
}

/** What the generated workflow says when it cannot call another. */
export function notTaken({ name, workflow, instance }: Refused, answer: RawAnswer): AppError | undefined {
  if (answer.status === 403) {
    return new AppError(
      'unavailable',
      `${name} was not run: the generated workflow in n8n (${instance}) does not take our call, because its credential was changed. \`sluice bridge remove\` and then \`sluice bridge apply\` put it right.`,
    );
  }
  const error = executionIn(answer) === undefined && answer.bytes.length < 2000 ? failureIn(answer) : undefined;
  if (error === undefined) return undefined;
  const label = `"${workflow.name}" (${workflow.id})`;
  if (error.startsWith('Workflow is not active')) {
    return new AppError(
      'conflict',
      `${name} was not run: ${label} is not published, or no longer there. n8n_publish_workflow publishes it.`,
    );
  }
  if (/not found|does not exist/i.test(error)) return gone(name, label, instance);
  return undefined;
}

/** It was started, and then n8n could no longer say what becomes of it. */
export function outOfSight({ tool, execution }: Pick<Begun, 'tool' | 'execution'>, error: unknown): AppError {
  const { code, message } = toAppError(error);
  const which = execution === undefined ? '' : ` (execution ${execution})`;
  const begun = `${tool.name}: "${tool.workflow.name}" was started${which}`;
  const data = { ...(execution !== undefined && { execution }) };
  if (code === 'not_found') {
    const why = `was deleted before it had ended, so that its result is lost: the workflow, or the execution alone`;
    return new AppError('not_found', `${begun}, and ${why}. n8n_list_workflows shows what is there.`, {
      cause: error,
      data,
    });
  }
  const look = execution === undefined ? 'n8n_list_executions' : `n8n_get_execution { "id": "${execution}" }`;
  return new AppError(
    code,
    `${begun}, and how it ended is not known: ${message} Do not run it again before ${look} has shown what became of it.`,
    { cause: error, data: { ...data, begun: true, retryable: false } },
  );
}
